import { html, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import type { CompanyView } from '../../protocol/company.ts';
import { sizesTable } from '../../protocol/companyText.ts';
import { sizeChart } from './chart.ts';

let drawnFor: CompanyView['sizes'] | undefined;
let drawn: TemplateResult | '' = '';

/** Pages and megabytes over the years as charts, and as the table that they are drawn from. */
export function sizesTemplate(view: CompanyView): TemplateResult | '' {
  // Drawing a chart makes new elements each time: once for each set of figures is enough.
  if (drawnFor !== view.sizes) {
    drawnFor = view.sizes;
    drawn = make(view);
  }
  return drawn;
}

function make(view: CompanyView): TemplateResult | '' {
  if (view.sizes.length === 0) return '';
  const [head = [], ...rows] = sizesTable(view);
  return html`<section aria-labelledby="sizes">
    <h2 id="sizes">${l10n.t('Pages and sizes')}</h2>
    <div class="charts">
      ${sizeChart(view.sizes, 'pages', l10n.t('Pages'))} ${sizeChart(view.sizes, 'megabytes', l10n.t('Megabytes'))}
    </div>
    <details>
      <summary>${l10n.t('Show as table')}</summary>
      <table>
        <thead>
          <tr>
            ${head.map((text, place) => html`<th scope="col" class=${place > 1 ? 'figure' : ''}>${text}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) => html`<tr>
              ${row.map((text, place) => html`<td class=${place > 1 ? 'figure' : ''}>${text}</td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
    </details>
  </section>`;
}
