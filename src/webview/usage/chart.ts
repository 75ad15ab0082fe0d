import { html, svg, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import type { UsageView } from '../../protocol/usage.ts';
import { inAll, minuteText } from '../../protocol/usageView.ts';

// Sixty plain bars that are drawn again while one looks: a chart library would make this page five times as large.

/** In the units of the drawing, which is stretched to the room there is. */
const barWidth = 10;
const gap = 2;
const height = 100;

/** Requests by the minute as stacked bars. The table beside it says the same in numbers. */
export function chartTemplate(view: UsageView, lastHour: number): TemplateResult {
  const { minutes } = view;
  const top = ceiling(Math.max(...minutes.map(inAll), 0));
  const width = minutes.length * barWidth;
  const label = l10n.t(
    'Requests by the minute in the last hour: {0} in all, at most {1} in a minute.',
    lastHour,
    Math.max(...minutes.map(inAll), 0),
  );
  return html`<figure class="chart">
    <figcaption class="quiet">${l10n.t('Requests by the minute')}</figcaption>
    <div class="scale quiet" aria-hidden="true"><span>${top}</span><span>${top / 2}</span><span>0</span></div>
    <svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label=${label}>
      <line class="rule" x1="0" x2=${width} y1="0" y2="0"></line>
      <line class="rule" x1="0" x2=${width} y1=${height / 2} y2=${height / 2}></line>
      <line class="rule" x1="0" x2=${width} y1=${height} y2=${height}></line>
      ${minutes.map((_, index) => barTemplate(view, index, top))}
    </svg>
    <div class="times quiet" aria-hidden="true">
      ${[0, 15, 30, 45, minutes.length - 1].map((index) => html`<span>${minutes[index]?.time}</span>`)}
    </div>
  </figure>`;
}

function barTemplate(view: UsageView, index: number, top: number): TemplateResult | '' {
  const minute = view.minutes[index];
  if (!minute || inAll(minute) === 0) return '';
  let below = 0;
  const parts = minute.counts.map((count, work) => {
    const part = (count / top) * height;
    below += part;
    return count === 0
      ? ''
      : svg`<rect class="bar bar-${view.works[work]?.id}" x=${index * barWidth + gap / 2} y=${height - below}
          width=${barWidth - gap} height=${part}></rect>`;
  });
  return svg`<g><title>${minute.time}: ${minuteText(view, minute)}</title>${parts}</g>`;
}

/** The next round even number, so that half of it is a whole one. */
function ceiling(most: number): number {
  const steps = [2, 4, 10, 20, 40, 60, 100, 200, 400, 600];
  return steps.find((step) => step >= most) ?? Math.ceil(most / 1000) * 1000;
}
