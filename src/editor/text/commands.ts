import * as vscode from 'vscode';
import type { App } from '../../app/app.ts';
import type { Disposable } from '../../base/disposable.ts';
import { isObject } from '../../base/json.ts';
import { l10n } from '../../base/l10n.ts';
import { Semaphore } from '../../base/semaphore.ts';
import { byteSize, counted, countText } from '../../base/words.ts';
import { reportGroups, reportIds } from '../common/arguments.ts';
import { type CommandRun, setContextKey } from '../common/commands.ts';
import { viewIds } from '../common/contributions.ts';
import { labelText, notificationText, problemText } from '../common/messages.ts';
import { openPdfFile } from '../common/openPdfFile.ts';
import { withCancellableProgress } from '../common/progress.ts';
import { fiscalYearLabel } from '../common/reportNode.ts';
import { askInBox, rememberQuery } from './findBox.ts';
import type { HitNode, HitReportNode, HitScope, PdfQuestion } from './hitList.ts';
import type { PdfHitsTree } from './hitsTree.ts';
import {
  companyLabel,
  coverageLine,
  hitCount,
  hitsAsCsv,
  hitsAsMarkdown,
  reportLine,
  spokenHit,
  yearAndType,
} from './hitWords.ts';
import type { PdfText } from './pdfText.ts';
import { findForProgram, isOn, offWords, type ReadResult, readForProgram } from './programs.ts';

interface OpenedText {
  readonly ports: App;
  readonly text: PdfText;
  readonly tree: PdfHitsTree;
}

const toldFor = 5_000;
/** Most pages that are copied, or written into a document. */
const maxCopied = 10_000;
/** Most words and phrases that the preview marks. */
const maxMarked = 100;

export function openText(opened: OpenedText) {
  const { text, tree } = opened;
  /** One step after the other, however fast the key is pressed. */
  const turns = new Semaphore(1);
  const copied = async (
    asText: (reports: readonly HitReportNode[]) => string | Promise<string>,
    args: readonly unknown[],
  ) => {
    const chosen = await chosenReports(tree, args);
    if (!chosen) return;
    await vscode.env.clipboard.writeText(await asText(chosen.reports));
    const count = chosen.reports.reduce((sum, { hits }) => sum + hits.length, 0);
    const words = vscode.l10n.t('Copied {0}', counted(count, l10n.later('1 page'), l10n.later('{0} pages')));
    vscode.window.setStatusBarMessage(words, toldFor);
    if (chosen.isCut) tellCut(count);
  };
  const following = followJumps();
  return {
    dispose: () => following.dispose(),
    async findInPdfs(...args: unknown[]) {
      const [query, options] = args;
      if (typeof query === 'string') return findForProgram(text, query, options);
      return ask(opened, args);
    },
    async readPdfText(...args: unknown[]) {
      const isProgram = Array.isArray(args[0]);
      if (isProgram) return readForProgram(text, reportIds(args));
      await showView();
      const title = vscode.l10n.t('Indexing PDFs');
      const results = await withCancellableProgress(title, (signal) => readForProgram(text, undefined, signal));
      void vscode.window.showInformationMessage(readWords(results));
      return results;
    },
    refreshPdfHits: () => tree.refresh(),
    clearPdfHits: () => tree.clear(),
    copyPdfHitsAsMarkdown: (...args: unknown[]) =>
      copied(async (reports) => hitsAsMarkdown(reports, await answerNotes(opened)), args),
    copyPdfHitsAsCsv: (...args: unknown[]) => copied(hitsAsCsv, args),
    async savePdfHits() {
      const chosen = await chosenReports(tree, []);
      if (!chosen) return;
      const content = hitsAsMarkdown(chosen.reports, await answerNotes(opened));
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'markdown', content }));
      if (chosen.isCut) tellCut(tree.list?.hits.length ?? maxCopied);
    },
    openPdfHit: (...args: unknown[]) =>
      turns.run(async () => {
        const [node] = args;
        if (isHit(node)) await openHit(opened, node);
      }),
    nextPdfHit: () => turns.run(() => walk(opened, 1)),
    previousPdfHit: () => turns.run(() => walk(opened, -1)),
    pausePdfText: async () => (await text.index()).setPaused(true),
    resumePdfText: async () => (await text.index()).setPaused(false),
    cancelPdfText: async () => (await text.index()).cancelReading(null),
    deletePdfText: () => deleteText(opened),
  } satisfies Disposable & Readonly<Record<string, CommandRun | (() => void)>>;
}

async function ask(opened: OpenedText, args: readonly unknown[]): Promise<void> {
  const { ports, text, tree } = opened;
  await showView();
  // Says what is missing where nobody is signed in.
  await ports.services.library();
  if (!isOn()) return tellOff();
  text.refresh();
  if ((await text.state()) === 'none') return tellNone(ports);
  const before = tree.list?.question;
  const answer = await askInBox(text, ports, await scopeOf(ports, args), before?.query ?? '');
  if (!answer) return;
  if (answer === 'coverage') {
    await vscode.commands.executeCommand(`${viewIds.pdfHits}.focus`);
    return;
  }
  const { question, at } = answer;
  await rememberQuery(ports.extension.globalState, question.query);
  // Asked before the view is shown: the editor reads a tree once then, with the answer in it.
  const list = await tree.ask(question);
  // The keyboard goes to the results only where no page is opened.
  await vscode.commands.executeCommand(`${viewIds.pdfHits}.focus`);
  const hit = at && list?.same(at);
  if (hit) await openHit(opened, hit);
}

/** From its first use on the view has its place in the editor's panel; it is not opened. */
const showView = () => setContextKey('reportLibrary.findsInPdfs', true);

async function tellOff(): Promise<void> {
  const open = vscode.l10n.t('Open Setting');
  if ((await vscode.window.showInformationMessage(offWords(), open)) !== open) return;
  await vscode.commands.executeCommand('workbench.action.openSettings', 'reportLibrary.pdfText.enabled');
}

async function tellNone({ downloads }: App): Promise<void> {
  const download = vscode.l10n.t('Download PDFs…');
  const text = vscode.l10n.t('There are no PDFs to search on this computer yet. Download some first.');
  if ((await vscode.window.showInformationMessage(text, download)) !== download) return;
  await downloads.offer();
}

/** What is searched: the row of a menu, else what the Reports view is narrowed to. */
async function scopeOf(ports: App, args: readonly unknown[]): Promise<HitScope> {
  const { library } = await ports.services.library();
  const [group] = reportGroups(args);
  if (group) {
    const { companyKey, fiscalYear } = group;
    const name = labelText((await library.company(companyKey))?.company_name ?? companyKey);
    const query = { company_key: [companyKey] };
    if (fiscalYear === undefined) return { words: name, query };
    return { words: `${name} · ${fiscalYearLabel(fiscalYear)}`, query: { ...query, fcyear: [fiscalYear] } };
  }
  const ids = reportIds(args);
  const [report] = ids.length > 0 ? await library.summaries(ids) : [];
  if (report) {
    const words =
      ids.length === 1 ? reportLine(report) : counted(ids.length, l10n.later('1 report'), l10n.later('{0} reports'));
    return { words, reportIds: ids };
  }
  const narrowed = await ports.reportsView.filter();
  return narrowed && narrowed.words !== ''
    ? { words: labelText(narrowed.words), query: narrowed.query }
    : { words: '' };
}

/** Opens a page that was found in the preview, with the words marked, and says which hit it is. */
async function openHit(opened: OpenedText, hit: HitNode, note = ''): Promise<void> {
  const { ports, tree } = opened;
  const { report, found } = hit;
  const { list } = tree;
  if (!opened.text.answers(found)) throw new Error(vscode.l10n.t('This result no longer exists. Search again.'));
  const known = { ...report, has_file: true, content_sha256: found.sha256 };
  const title = vscode.l10n.t('Opening {0}', companyLabel(report));
  const file = await withCancellableProgress(notificationText(title), async (signal) =>
    (await ports.downloads.open()).checkedFile(known, signal),
  );
  if (!file) throw new Error(vscode.l10n.t('The PDF was moved or deleted. Download it again.'));
  if (list) list.current = hit;
  await setContextKey('reportLibrary.walksPdfHits', true);
  const spoken = [note, `${spokenHit(hit)}: ${reportLine(report)}`].filter(Boolean).join('. ');
  const { terms = [], question } = list ?? {};
  const marks = terms.length > 0 && question ? { text: question.query, terms: terms.slice(0, maxMarked) } : {};
  await openPdfFile(file, {
    reportId: report.report_id,
    place: { page: found.page, ...marks, spoken },
    isForALook: true,
  });
  await tree.reveal(hit);
  const told = [note, spokenHit(hit), yearAndType(report), companyLabel(report)].filter(Boolean).join(' · ');
  vscode.window.setStatusBarMessage(told, toldFor);
}

/** Opens the next hit, or the one before; after the last one the first comes again. */
async function walk(opened: OpenedText, step: 1 | -1): Promise<void> {
  const { tree } = opened;
  const { list } = tree;
  if (!list) return;
  let hit = list.neighbour(step);
  if (!hit && step > 0 && list.next !== null) {
    await tree.more();
    hit = list.neighbour(step);
  }
  const other = hit ?? list.end(step);
  if (!other) return;
  const wrapped = step > 0 ? vscode.l10n.t('From the first result again') : vscode.l10n.t('From the last result again');
  await openHit(opened, other, hit ? '' : wrapped);
}

/**
 * The reports and hits of the rows that are given, else all, read to the end, and whether there are more than that;
 * undefined when the person gives up.
 */
async function chosenReports(tree: PdfHitsTree, args: readonly unknown[]) {
  const [first, second] = args;
  const nodes = Array.isArray(second) && second.length > 0 ? second : [first];
  const rows = nodes.filter((node) => isHit(node) || isHitReport(node));
  if (rows.length > 0) {
    const hits = new Set(rows.flatMap((row) => (row.kind === 'hit' ? [row] : row.hits)));
    const parents = new Set([...hits].map(({ parent }) => parent));
    const reports = [...parents].map((report) => ({ ...report, hits: report.hits.filter((hit) => hits.has(hit)) }));
    return { reports, isCut: false };
  }
  const { list } = tree;
  if (!list || list.hits.length === 0) throw new Error(vscode.l10n.t('There are no results. Run Find in PDFs… first.'));
  const readAll = async (signal: AbortSignal) => {
    while (tree.list === list && list.next !== null && list.hits.length < maxCopied && !signal.aborted)
      await tree.more();
    return signal.aborted ? undefined : { reports: list.reports, isCut: list.next !== null };
  };
  return withCancellableProgress(vscode.l10n.t('Loading all results'), readAll);
}

function tellCut(count: number): void {
  const text = vscode.l10n.t(
    'Only the newest {0} pages are included. To get the others, narrow the search to a company or a year.',
    countText(count),
  );
  void vscode.window.showInformationMessage(text);
}

/** What a document says of the answer beside its hits. */
async function answerNotes({ text, tree }: OpenedText) {
  const question: PdfQuestion = tree.list?.question ?? { query: '', scope: { words: '' } };
  const day = new Date().toLocaleDateString(vscode.env.language, { dateStyle: 'long' });
  const notes = [tree.list ? hitCount(tree.list) : '', coverageLine(await text.coverage()), day];
  return { ...question, notes };
}

function readWords(results: readonly ReadResult[]): string {
  const count = (...statuses: readonly ReadResult['status'][]) =>
    results.filter(({ status }) => statuses.includes(status)).length;
  const searchable = vscode.l10n.t(
    '{0} searchable',
    counted(count('read', 'known'), l10n.later('1 PDF'), l10n.later('{0} PDFs')),
  );
  const gaps = [
    [count('without-text'), l10n.later('{0} without text (scanned)')],
    [count('failed'), l10n.later('{0} failed')],
  ] as const;
  const words = gaps.flatMap(([number, other]) => (number > 0 ? counted(number, other, other) : []));
  return notificationText([searchable, ...words].join(', '));
}

async function deleteText({ text, tree }: OpenedText): Promise<void> {
  const index = await text.index();
  const size = byteSize(await index.bytes(null), vscode.env.language);
  const remove = vscode.l10n.t('Delete');
  const detail = vscode.l10n.t('Frees {0}. No PDF is deleted. Indexing is paused until you resume it.', size);
  const question = vscode.l10n.t('Delete the text of all PDFs on this computer?');
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, remove)) !== remove) return;
  try {
    // Else all that is here would be read again at once.
    await index.setPaused(true);
    await index.deleteAll(null);
    // The results quote the deleted text.
    await tree.clear();
  } catch (error) {
    throw new Error(problemText(error));
  }
}

const isHit = (node: unknown): node is HitNode => isObject(node) && node.kind === 'hit' && 'found' in node;
const isHitReport = (node: unknown): node is HitReportNode =>
  isObject(node) && node.kind === 'hitReport' && 'hits' in node;

/**
 * F4 goes on in our results from when they came, or one of them was opened, until something else jumps to a place in a
 * text. The Search view and the references do so by selecting it there, with no key or click in that text; while they
 * have the keyboard, F4 is theirs in any case (see the manifest).
 */
function followJumps(): Disposable {
  const { Keyboard, Mouse } = vscode.TextEditorSelectionChangeKind;
  return vscode.window.onDidChangeTextEditorSelection(({ kind, selections }) => {
    const isJump = kind !== Keyboard && kind !== Mouse && selections.some(({ isEmpty }) => !isEmpty);
    if (isJump) void setContextKey('reportLibrary.walksPdfHits', false);
  });
}
