import * as vscode from 'vscode';
import type { Passage } from '../../protocol/pdfPreview.ts';
import { showProblem } from '../common/messages.ts';
import { wantQuote } from '../common/quoting.ts';
import { checkAll, outcomeOf, summary } from './checkEvidence.ts';
import { keptRecords } from './evidenceFiles.ts';
import { EvidenceMarks } from './marks.ts';
import { mergeCommand } from './merge.ts';
import { openEvidence } from './openEvidence.ts';
import type { EvidencePorts } from './ports.ts';
import { addQuote, quoteSelection } from './quote.ts';
import { showResults } from './results.ts';

/** The feature, once somebody needs it. */
export function openEvidenceFeature(ports: EvidencePorts) {
  const marks = new EvidenceMarks(ports);
  const check = async () => {
    const found = await checkAll(ports);
    marks.show(found.quotes).catch((error: unknown) => showProblem(error, ports.log));
    return found;
  };
  return {
    marks,
    dispose: () => marks.dispose(),
    quote: (file: vscode.Uri, passage: Passage, mayPick: boolean) => quoteSelection(ports, file, passage, mayPick),
    /** From the palette or a menu: of what is selected in the preview. */
    async addQuote(given?: unknown) {
      if (given !== undefined && !isMenuPlace(given)) return addQuote(ports, given);
      wantQuote();
      return undefined;
    },
    openEvidence: (id?: unknown) => openEvidence(ports, id),
    async checkEvidence(options?: unknown) {
      const found = await check();
      // A program gets what it asked for at once; the list is for whoever looks on.
      if (options === undefined) showResults(ports, found).catch((error: unknown) => showProblem(error, ports.log));
      return found.quotes.map(outcomeOf);
    },
    mergeEvidence: () => mergeCommand(ports),
    /** PDFs of these reports changed: quotes of other bytes are checked, and a person told what needs a look. */
    async checkAfter(reportIds: readonly number[]) {
      const changed = new Set(reportIds);
      const { kept } = await keptRecords(ports);
      if (!kept.some(({ record }) => changed.has(record.report_id))) return;
      const here = await (await ports.downloads()).localPdfs(({ row }) => changed.has(row.report_id));
      const hashes = new Set(here.map(({ row }) => row.sha256));
      const ids = new Set(here.map(({ row }) => row.report_id));
      if (!kept.some(({ record }) => ids.has(record.report_id) && !hashes.has(record.sha256))) return;
      const found = await check();
      const moved = found.quotes.filter(({ state }) => state !== 'same' && state !== 'not-here');
      if (moved.length === 0) return;
      const show = vscode.l10n.t('Show');
      const text = vscode.l10n.t('PDFs that you quoted from changed. {0}', summary(found.quotes));
      if ((await vscode.window.showInformationMessage(text, show)) === show) await showResults(ports, found);
    },
  };
}

/** What a menu of the preview gives: where it was opened. */
function isMenuPlace(given: unknown): boolean {
  return typeof given === 'object' && given !== null && 'webview' in given;
}
