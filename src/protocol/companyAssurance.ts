import type { Report } from '../api/schemas/report.ts';
import type { YearAssurance } from './company.ts';
import { visibleText } from './format/visibleText.ts';

/** What the reports of one year state about their assurance, in the service's words. */
export function yearAssurance(reports: readonly Report[]): Omit<YearAssurance, 'statement'> {
  const lines = reports.flatMap(lineOf);
  const levels = reports.flatMap(({ assurance_level }) => (assurance_level === null ? [] : levelOf(assurance_level)));
  const level = levels.includes('reasonable') ? 'reasonable' : levels.includes('limited') ? 'limited' : levels[0];
  return { lines: [...new Set(lines)], level: level ?? null };
}

/** Any other text is shown as it is, never taken for one of the two. */
function levelOf(text: string): 'limited' | 'reasonable' | 'other' {
  const known = text.trim().toLowerCase();
  return known === 'limited' || known === 'reasonable' ? known : 'other';
}

function lineOf(report: Report): string[] {
  const { assurance_level, assurance_provider, assurance_standard, assurance_scope } = report;
  const stated = [assurance_level, assurance_provider, assurance_standard, assurance_scope]
    .filter((text) => text !== null)
    .map(visibleText);
  return stated.length === 0 ? [] : [stated.join(' · ')];
}
