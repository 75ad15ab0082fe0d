import { html, nothing, svg, type TemplateResult } from 'lit';

/** A part of a bar; parts stand on one another in their order. */
interface BarPart {
  readonly value: number;
  /** Chooses its colour. */
  readonly className: string;
  readonly title?: string;
}

interface Bar {
  /** Below the bar; empty where there is no room for it. */
  readonly label: string;
  readonly title?: string;
  readonly parts: readonly BarPart[];
}

interface BarChart {
  readonly caption: string;
  /** The picture's name, and more in words, for those who can't see it. */
  readonly label: string;
  readonly description?: string;
  readonly bars: readonly Bar[];
  /** How an amount of the scale reads. */
  readonly amount: (value: number) => string;
  /** Only whole amounts occur. */
  readonly isWhole?: boolean;
}

/** In the units of the drawing, which is stretched to the room there is. */
const barWidth = 10;
const gap = 2;
const height = 100;

/** Bars side by side over a scale of a few round amounts. It is one picture: a table beside it says the same. */
export function barChart({ caption, label, description, bars, amount, isWhole = false }: BarChart): TemplateResult {
  const ticks = scale(Math.max(0, ...bars.map(heightOf)), isWhole);
  const top = ticks.at(-1) ?? 1;
  const width = bars.length * barWidth;
  return html`<figure class="chart">
    <figcaption class="quiet">${caption}</figcaption>
    <div class="scale quiet" aria-hidden="true">${ticks.toReversed().map((tick) => html`<span>${amount(tick)}</span>`)}</div>
    <svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label=${label} aria-description=${description ?? nothing}>
      ${ticks.map((tick) => {
        const y = height - (tick / top) * height;
        return svg`<line class="rule" x1="0" x2=${width} y1=${y} y2=${y}></line>`;
      })}
      ${bars.map((bar, index) => barTemplate(bar, index * barWidth + gap / 2, height / top))}
    </svg>
    <div class="labels quiet" aria-hidden="true">${bars.map(({ label }) => html`<span>${label}</span>`)}</div>
  </figure>`;
}

function barTemplate({ title, parts }: Bar, x: number, unit: number): TemplateResult {
  let below = 0;
  return svg`<g>${title === undefined ? '' : svg`<title>${title}</title>`}${parts
    .filter(({ value }) => value > 0)
    .map((part) => {
      below += part.value * unit;
      return svg`<rect class="bar ${part.className}" x=${x} y=${height - below} width=${barWidth - gap}
        height=${part.value * unit}>${part.title === undefined ? '' : svg`<title>${part.title}</title>`}</rect>`;
    })}</g>`;
}

function heightOf({ parts }: Bar): number {
  return parts.reduce((sum, { value }) => sum + value, 0);
}

/** Zero, about four round amounts, the last of them not below `max`. */
function scale(max: number, isWhole: boolean): number[] {
  const rough = Math.max(max / 4, isWhole ? 1 : Number.MIN_VALUE);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = max === 0 ? 1 : ([1, 2, 5].find((each) => each * power >= rough) ?? 10) * power;
  return Array.from({ length: Math.max(1, Math.ceil(max / step)) + 1 }, (_, index) => index * step);
}
