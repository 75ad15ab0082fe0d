import { bibtex } from './bibtex.ts';
import { type CitedReport, citedReport } from './cited.ts';
import { cslJson } from './cslJson.ts';
import { footnotes } from './footnote.ts';
import { ris } from './ris.ts';

export { citedReport };

/** The forms of a citation. */
export const citationForms = ['footnote', 'bibtex', 'csl-json', 'ris'] as const;
export type CitationForm = (typeof citationForms)[number];

const writers: Readonly<Record<CitationForm, (reports: readonly CitedReport[]) => string>> = {
  footnote: footnotes,
  bibtex,
  'csl-json': cslJson,
  ris,
};

/** Reports cited in one form, ready for the clipboard or a file. */
export function citation(form: CitationForm, reports: readonly CitedReport[]): string {
  return writers[form](reports);
}
