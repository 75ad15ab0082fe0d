import '../common/jitless.ts';
import { html, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import { countText } from '../../base/words.ts';
import { inAll, minuteText, type UsageView, usageProtocol } from '../../protocol/usage.ts';
import { barChart } from '../common/bars.ts';
import { PanelPage } from '../common/page.ts';
import { button, dash, icon, rawTemplate } from '../common/widgets.ts';

const page: PanelPage<typeof usageProtocol> = new PanelPage(usageProtocol, {
  reading: l10n.later('Reading the usage'),
  template: pageTemplate,
});

function pageTemplate(view: UsageView): TemplateResult {
  return html`<header>
      <h1>${l10n.t('Usage')}</h1>
      <p class="quiet"><bdi>${view.connection}</bdi></p>
    </header>
    ${monthTemplate(view)} ${windowTemplate(view)}
    ${view.month.kind === 'read' ? rawTemplate(view.month.raw) : ''}`;
}

function monthTemplate({ month, rate }: UsageView): TemplateResult {
  const amount = (label: string, which: 'requests' | 'downloads') => {
    const value = month.kind === 'read' ? month[which] : null;
    const bone = html`<span class="bone amount-bone"></span>`;
    const known = value ?? dash(l10n.t('Unknown'));
    return html`<div><dt>${label}</dt><dd>${month.kind === 'reading' ? bone : known}</dd></div>`;
  };
  const counting = l10n.t(
    'Counted by the service for this key across all windows and programs, plus this window’s requests since then.',
  );
  return html`<section aria-labelledby="month">
    <div class="heading">
      <h2 id="month">${l10n.t('This month')}</h2>
      <div class="actions">
        ${button('refresh', l10n.t('Refresh'), () => page.send('retry'))}
        ${button('json', l10n.t('View as JSON'), () => page.call('viewAsJson', null))}
        ${button('list-flat', l10n.t('View as Text'), page.viewAsText)}
      </div>
    </div>
    <dl class="amounts">${amount(l10n.t('Requests'), 'requests')} ${amount(l10n.t('Downloads'), 'downloads')}</dl>
    <p class="told" role="status">
      ${month.kind === 'failed' ? html`<span class="warning">${icon('warning')} ${month.message}</span>` : counting}
    </p>
    <p class="told"><bdi>${rate ?? ''}</bdi></p>
  </section>`;
}

function windowTemplate(view: UsageView): TemplateResult {
  const { works, minutes, refused, failed, since } = view;
  const lastHour = works.reduce((sum, each) => sum + each.lastHour, 0);
  const total = works.reduce((sum, each) => sum + each.total, 0);
  const busy = minutes.filter((each) => inAll(each) > 0);
  return html`<section aria-labelledby="window">
    <h2 id="window">${l10n.t('This window, since {0}', since)}</h2>
    <p class="quiet">${l10n.t('Counted locally, never sent, reset when the window closes.')}</p>
    ${chartTemplate(view, lastHour)}
    <table aria-labelledby="window">
      <thead>
        <tr>
          <th scope="col">${l10n.t('Used by')}</th>
          <th scope="col" class="amount">${l10n.t('Last hour')}</th>
          <th scope="col" class="amount">${l10n.t('Since {0}', since)}</th>
        </tr>
      </thead>
      <tbody>
        ${works.map(
          ({ id, label, note, lastHour, total }) =>
            html`<tr>
              <th scope="row"><span class="swatch bar-${id}"></span>${label} <span class="quiet note">${note}</span></th>
              <td class="amount">${countText(lastHour)}</td>
              <td class="amount">${countText(total)}</td>
            </tr>`,
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">${l10n.t('All')} <span class="quiet note">${troubles(refused, failed)}</span></th>
          <td class="amount">${countText(lastHour)}</td>
          <td class="amount">${countText(total)}</td>
        </tr>
      </tfoot>
    </table>
    ${view.assistants === null ? '' : html`<p class="told">${view.assistants}</p>`}
    <details>
      <summary>${l10n.t('The last hour by the minute')}</summary>
      ${
        busy.length === 0
          ? html`<p class="quiet">${l10n.t('No requests in the last hour.')}</p>`
          : html`<ul class="minutes">
              ${busy.map((each) => html`<li><span class="time">${each.time}</span> ${minuteText(view, each)}</li>`)}
            </ul>`
      }
    </details>
  </section>`;
}

/** Requests by the minute. The table below says the same in numbers. */
function chartTemplate(view: UsageView, lastHour: number): TemplateResult {
  const { minutes, works } = view;
  const last = minutes.length - 1;
  return barChart({
    caption: l10n.t('Requests by the minute'),
    label: l10n.t(
      'Requests by the minute in the last hour: {0} in all, at most {1} in a minute.',
      lastHour,
      Math.max(...minutes.map(inAll), 0),
    ),
    amount: String,
    isWhole: true,
    bars: minutes.map((minute, index) => ({
      label: index % 15 === 0 || index === last ? minute.time : '',
      title: `${minute.time}: ${minuteText(view, minute)}`,
      parts: minute.counts.map((value, work) => ({ value, className: `bar-${works[work]?.id}` })),
    })),
  });
}

function troubles(refused: number, failed: number): string {
  const parts = [];
  if (refused > 0) parts.push(l10n.t('{0} refused by the rate limit', countText(refused)));
  if (failed > 0) parts.push(l10n.t('{0} failed', countText(failed)));
  return parts.join(', ');
}

page.open();
