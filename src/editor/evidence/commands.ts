import * as vscode from 'vscode';
import type { App } from '../../app/app.ts';
import { isObject } from '../../base/json.ts';
import { Semaphore } from '../../base/semaphore.ts';
import type { CopiedTable, Passage } from '../../protocol/pdfPreview.ts';
import { keptHint, viewIds } from '../common/contributions.ts';
import { notificationText, showProblem } from '../common/messages.ts';
import { wantInPreview } from '../common/openPdfFile.ts';
import { acceptPlace, type CheckedQuote, checkAll, checkOutcome, quotesAsCsv, summary } from './checkEvidence.ts';
import type { EvidencePorts } from './context.ts';
import { editNote, keptRecords, mergeCommand, removeQuotes } from './evidenceFiles.ts';
import { EvidenceMarks } from './marks.ts';
import { noQuotes, openEvidence, ownQuote } from './openEvidence.ts';
import { insertPageText } from './pageText.ts';
import { addQuote, copyTable, dropQuotes, quoteHit, quoteSelection } from './quote.ts';
import { quoteTarget } from './take.ts';
import { type EvidenceNode, EvidenceTree } from './tree.ts';

export type OpenedEvidence = ReturnType<typeof openEvidenceFeature>;

export function openEvidenceFeature(
  ports: EvidencePorts,
  view: vscode.TreeView<EvidenceNode>,
  { treeDrag, extension: { workspaceState } }: Pick<App, 'treeDrag' | 'extension'>,
) {
  const noteKept = async (isKept: boolean) => {
    if (workspaceState.get(keptHint, false) !== isKept) await workspaceState.update(keptHint, isKept);
  };
  const marks = new EvidenceMarks(ports);
  const tell = (error: unknown) => showProblem(error, ports.log);
  const check = async () => {
    const found = await checkAll(ports);
    marks.show(found.quotes).catch(tell);
    return found;
  };
  const tree = new EvidenceTree(ports, check, view, noteKept);
  const changed = new Set<number>();
  const turns = new Semaphore(1);
  /** Changes during a check are checked together afterward. */
  const checkChanged = async () => {
    const ids = new Set(changed);
    changed.clear();
    if (ids.size === 0 || !(await areOutdated(ports, ids))) return;
    const found = await check();
    await tree.show(found);
    const isMoved = found.quotes.some(({ state }) => state !== 'same' && state !== 'not-here');
    if (isMoved) offerToShow(summary(found.quotes)).catch(tell);
  };
  return {
    marks,
    tree,
    dispose: () => marks.dispose(),
    quote: (file: vscode.Uri, passage: Passage, mayPick: boolean) => quoteSelection(ports, file, passage, mayPick),
    quoteTarget: () => quoteTarget(ports),
    table: (file: vscode.Uri, table: CopiedTable, mayPick: boolean) => copyTable(ports, file, table, mayPick),
    drop: (...dropped: [vscode.TextDocument, vscode.Position, vscode.DataTransfer, vscode.CancellationToken]) =>
      dropQuotes(ports, ...dropped),
    copyTable: async () => wantInPreview('copyTable'),
    /** From the palette or a menu: of what is selected in the preview. */
    async addQuote(given?: unknown) {
      if (given !== undefined && !isMenuPlace(given)) return addQuote(ports, given);
      wantInPreview('quoteSelection');
      return undefined;
    },
    quotePdfHit: async (node?: unknown) => void (await quoteHit(ports, node)),
    openEvidence: (given?: unknown) => openEvidence(ports, given, ownQuote(tree.quotes, given)),
    async checkEvidence(options?: unknown) {
      const found = await check();
      await tree.show(found);
      // A program gets what it asked for; the list is for the person.
      if (options === undefined && found.quotes.length > 0) {
        await showView();
        // Where the view was in front and nothing changed, this is all there is to be seen.
        const text = vscode.l10n.t('Evidence checked: {0}', summary(found.quotes));
        vscode.window.setStatusBarMessage(text, 5_000);
      } else if (options === undefined)
        void vscode.window.showInformationMessage(notificationText(found.problems[0] ?? noQuotes()));
      return found.quotes.map(checkOutcome);
    },
    mergeEvidence: () => mergeCommand(ports),
    async acceptEvidence(...rows: unknown[]) {
      for (const quote of chosen(tree.quotes, rows)) await acceptPlace(ports, quote);
    },
    async downloadEvidence(...rows: unknown[]) {
      await ports.downloadReports([...new Set(chosen(tree.quotes, rows).map(({ record }) => record.report_id))]);
      await tree.show(await check());
    },
    async editEvidenceNote(...rows: unknown[]) {
      const [quote] = chosen(tree.quotes, rows);
      if (quote) await editNote(quote);
    },
    /** From a menu with its rows, or by a key without any. */
    async removeEvidence(...rows: unknown[]) {
      const meant = rows.length > 0 ? rows : [undefined, treeDrag.selection];
      await removeQuotes(chosen(tree.quotes, meant), ports.log);
    },
    insertPageText: () => insertPageText(ports),
    async evidenceAsCsv() {
      const csv = { language: 'csv', content: quotesAsCsv(tree.quotes) };
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(csv));
    },
    checkAfter(reportIds: readonly number[]) {
      for (const id of reportIds) changed.add(id);
      return turns.run(checkChanged);
    },
  };
}

/** Whether there are quotes of these reports, and other bytes here than those were taken from. */
async function areOutdated(ports: EvidencePorts, reportIds: ReadonlySet<number>): Promise<boolean> {
  const { kept } = await keptRecords(ports);
  const quoted = kept.filter(({ record }) => reportIds.has(record.report_id));
  if (quoted.length === 0) return false;
  const here = await (await ports.downloads()).localPdfs(({ row }) => reportIds.has(row.report_id));
  const hashes = new Set(here.map(({ row }) => row.sha256));
  const ids = new Set(here.map(({ row }) => row.report_id));
  return quoted.some(({ record }) => ids.has(record.report_id) && !hashes.has(record.sha256));
}

async function offerToShow(found: string): Promise<void> {
  const show = vscode.l10n.t('Show');
  const text = vscode.l10n.t('PDFs of your quotes and tables changed. {0}', found);
  if ((await vscode.window.showInformationMessage(text, show)) === show) await showView();
}

async function showView(): Promise<void> {
  await vscode.commands.executeCommand(`${viewIds.evidence}.focus`);
}

/** The quotes that a menu of the view is about: of the selected rows, or the one that has the pointer. */
function chosen(own: readonly CheckedQuote[], [row, rows]: readonly unknown[]): readonly CheckedQuote[] {
  const all: readonly unknown[] = Array.isArray(rows) && rows.length > 0 ? rows : [row];
  return all.flatMap((one) => ownQuote(own, one) ?? []);
}

/** What a menu of the preview gives: where it was opened. */
function isMenuPlace(given: unknown): boolean {
  return isObject(given) && 'webview' in given;
}
