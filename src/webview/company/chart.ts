import { barY, plot, ruleY } from '@observablehq/plot';
import { html, type TemplateResult } from 'lit';
import { l10n } from '../../base/l10n.ts';
import { countText } from '../../base/words.ts';
import type { ReportSize } from '../../protocol/company.ts';

type Measure = 'pages' | 'megabytes';

/** A bar a year, a part a report. Null when nothing is known. */
export function sizeChart(sizes: readonly ReportSize[], measure: Measure, label: string): TemplateResult | null {
  const known = sizes.filter((size) => size[measure] !== null);
  if (known.length === 0) return null;
  const years = known.map(({ year }) => year);
  const [first, last] = [Math.min(...years), Math.max(...years)];
  const domain = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const every = Math.ceil(domain.length / 8);
  const chart = plot({
    className: 'chart',
    width: 480,
    height: 170,
    marginLeft: 44,
    marginRight: 4,
    marginTop: 12,
    marginBottom: 24,
    ariaLabel: l10n.t('{0} by fiscal year', label),
    ariaDescription: described(known, measure, label),
    x: {
      domain,
      tickFormat: (year: number) => ((last - year) % every === 0 ? String(year) : ''),
      tickSize: 0,
      label: null,
    },
    y: {
      grid: true,
      ticks: 4,
      tickSize: 0,
      tickFormat: (value: number) => value.toLocaleString(l10n.language()),
      label: null,
      nice: true,
    },
    marks: [
      barY(known, {
        x: 'year',
        y: measure,
        order: 'type',
        title: (size: ReportSize) => barText(size, measure),
        className: 'bars',
        inset: 0.5,
        fill: 'currentColor',
      }),
      ruleY([0]),
    ],
  });
  // Its own style sheet would be inline, which the page's policy forbids; ours says what it says.
  for (const style of chart.querySelectorAll('style')) style.remove();
  chart.setAttribute('role', 'img');
  // One picture with one name: the names of its parts would only be noise.
  for (const part of chart.querySelectorAll('g[aria-label]')) part.removeAttribute('aria-label');
  return html`<figure><figcaption>${label}</figcaption>${chart}</figure>`;
}

function barText(size: ReportSize, measure: Measure): string {
  const value = (size[measure] ?? 0).toLocaleString(l10n.language());
  const amount = measure === 'pages' ? l10n.t('{0} pages', value) : `${value} MB`;
  return `${size.year}, ${size.type}: ${amount}`;
}

function described(sizes: readonly ReportSize[], measure: Measure, label: string): string {
  const byYear = new Map<number, number>();
  for (const size of sizes) byYear.set(size.year, (byYear.get(size.year) ?? 0) + (size[measure] ?? 0));
  const values = [...byYear].sort(([a], [b]) => a - b);
  const [from, to] = [values[0], values.at(-1)];
  const say = (entry: readonly [number, number] | undefined) =>
    entry ? l10n.t('{0} in {1}', countText(Math.round(entry[1])), entry[0]) : '';
  return l10n.t('{0}: {1}, {2}. The table below has every report.', label, say(from), say(to));
}
