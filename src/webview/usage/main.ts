import '../common/jitless.ts';
import { html, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import { type UsageView, usageProtocol } from '../../protocol/usage.ts';
import { PanelPage } from '../common/page.ts';
import { button, dash, rawTemplate } from '../common/widgets.ts';

const page: PanelPage<typeof usageProtocol> = new PanelPage(usageProtocol, {
  template: pageTemplate,
});

function pageTemplate({ connection, requests, downloads, rate, assistants, raw }: UsageView): TemplateResult {
  const amount = (label: string, value: string | null) =>
    html`<div><dt>${label}</dt><dd>${value ?? dash(l10n.t('Unknown'))}</dd></div>`;
  return html`<header>
      <h1>${l10n.t('Usage')}</h1>
      <p class="quiet"><bdi>${connection}</bdi></p>
    </header>
    <section aria-labelledby="month">
      <div class="heading">
        <h2 id="month">${l10n.t('This month')}</h2>
        <div class="actions">
          ${button('refresh', l10n.t('Refresh'), () => page.send('retry'))}
          ${button('json', l10n.t('View as JSON'), () => page.call('viewAsJson', null))}
          ${button('list-flat', l10n.t('View as Text'), page.viewAsText)}
        </div>
      </div>
      <dl class="amounts">${amount(l10n.t('Requests'), requests)} ${amount(l10n.t('Downloads'), downloads)}</dl>
      <p class="note">${l10n.t('Counted by the service for this key, in all windows and programs.')}</p>
      ${rate === null ? '' : html`<p class="note">${rate}</p>`}
      ${assistants === null ? '' : html`<p class="note">${assistants}</p>`}
    </section>
    ${rawTemplate(raw)}`;
}

page.open();
