import * as vscode from 'vscode';
import { l10n } from '../../base/l10n.ts';
import {
  type CheckedRecord,
  checkRecords,
  type EvidencePdfs,
  type EvidenceState,
  type PdfOfReport,
} from '../../evidence/check.ts';
import { countsOf } from '../../evidence/record.ts';
import { withCancellableProgress } from '../common/messages.ts';
import { hashOf, type KeptRecord, keptRecords } from './evidenceFiles.ts';
import type { EvidencePorts } from './ports.ts';

/** A quote as a check found it, and the folder whose file has it. */
export interface CheckedQuote extends CheckedRecord, KeptRecord {}

/** What a check found, and what is wrong with the files of quotes. */
export interface EvidenceCheck {
  readonly quotes: readonly CheckedQuote[];
  readonly problems: readonly string[];
}

/** Holds all quotes of this window against the PDFs that are here. */
export async function checkAll(ports: EvidencePorts): Promise<EvidenceCheck> {
  const { kept, problems } = await keptRecords(ports);
  const checked = await withCancellableProgress(vscode.l10n.t('Checking evidence'), (signal) =>
    checkRecords(
      kept.map(({ record }) => record),
      pdfsOf(ports, kept),
      signal,
    ),
  );
  const quotes = checked.flatMap((one, index): CheckedQuote[] => {
    const root = kept[index]?.root;
    return root ? [{ ...one, root }] : [];
  });
  return { quotes, problems };
}

function pdfsOf(ports: EvidencePorts, kept: readonly KeptRecord[]): EvidencePdfs {
  return {
    async here(reportIds, signal) {
      const hashes = new Set(kept.map(({ record }) => record.sha256));
      const downloads = await ports.downloads();
      const pdfs = await downloads.localPdfs(({ row }) => reportIds.has(row.report_id) || hashes.has(row.sha256));
      const here: PdfOfReport[] = [];
      for (const pdf of pdfs) {
        const sha256 = await hashOf(pdf, signal);
        if (sha256 !== undefined) here.push({ report_id: pdf.row.report_id, sha256, path: pdf.uri.fsPath });
      }
      return here;
    },
    text: (pdf, signal) => ports.text(pdf, signal),
  };
}

/** What `reportLibrary.checkEvidence` gives a program. */
export function outcomeOf({ record: { id }, state, page }: CheckedRecord) {
  return { id, state, ...(page !== undefined && { page }) };
}

/** A state in a few words. */
const stateWords: Readonly<Record<EvidenceState, string>> = {
  same: l10n.later('PDF unchanged'),
  found: l10n.later('found in the newer PDF'),
  ambiguous: l10n.later('needs a look'),
  gone: l10n.later('no longer in the PDF'),
  'not-here': l10n.later('PDF not here'),
};

export function wordsOfState(state: EvidenceState): string {
  return l10n.word(stateWords[state]);
}

/** `500 quotes, 2 tables · PDF unchanged: 500 · found in the newer PDF: 2`. */
export function summary(quotes: readonly CheckedQuote[]): string {
  const all = countsOf(quotes.map(({ record }) => record));
  const states = [...Map.groupBy(quotes, ({ state }) => state)];
  return [all, ...states.map(([state, of]) => `${wordsOfState(state)}: ${of.length}`)].join(' · ');
}
