import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { setContextKey } from '../common/commands.ts';
import { viewIds } from '../common/contributions.ts';
import { pageSize } from '../common/libraryTree.ts';
import type { Log } from '../common/log.ts';
import { labelText, problemText } from '../common/messages.ts';
import { withViewProgress } from '../common/progress.ts';
import { coverageNode, hitItem, type PdfHitsNode, type PdfStateNode } from './hitItems.ts';
import { HitList, type HitNode, type PdfQuestion } from './hitList.ts';
import { hitCount } from './hitWords.ts';
import type { PdfText } from './pdfText.ts';

/** How often (ms) the coverage is read again while PDFs are being read. */
const coverageInterval = 400;

type PdfHitsView = Pick<vscode.TreeView<PdfHitsNode>, 'message' | 'visible' | 'reveal' | 'onDidChangeVisibility'>;

/** Find in PDFs as a tree: how many of the PDFs here can be searched, and the answer to the last question. */
export class PdfHitsTree implements vscode.TreeDataProvider<PdfHitsNode>, Disposable {
  readonly #text: PdfText;
  readonly #view: PdfHitsView;
  readonly #log: Log;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<PdfHitsNode | undefined>());
  #coverage: PdfStateNode | undefined;
  #searchable = 0;
  list: HitList | undefined;
  /** How many PDFs the answer was looked for in. */
  #searched = 0;
  #timer: NodeJS.Timeout | undefined;
  #isReading = false;
  /** Counts questions: an answer to one before the last is dropped. */
  #asked = 0;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(text: PdfText, view: PdfHitsView, log: Log) {
    this.#text = text;
    this.#view = view;
    this.#log = log;
    this.#store.add({ dispose: () => clearTimeout(this.#timer) });
    this.#store.add(
      text.onDidChange(() => {
        this.#leaveOut();
        this.#lookSoon();
      }),
    );
    this.#store.add(view.onDidChangeVisibility(({ visible }) => visible && this.#lookSoon()));
  }

  /** Asks, and shows the first part of the answer. Undefined when another question came meanwhile. */
  async ask(question: PdfQuestion): Promise<HitList | undefined> {
    this.#asked += 1;
    const mine = this.#asked;
    const [first, coverage] = await withViewProgress(viewIds.pdfHits, () =>
      Promise.all([this.#text.find(question, { limit: pageSize, cursor: null }), this.#text.coverage()]),
    );
    if (mine !== this.#asked) return undefined;
    this.#searched = coverage.searchable;
    await this.#show(new HitList(question, first));
    this.#leaveOut();
    return this.list;
  }

  /** Asks the same again; the place that a person walks from stays where it is. */
  async refresh(): Promise<void> {
    this.#text.refresh();
    const before = this.list;
    if (!before) return this.reload();
    const now = await this.ask(before.question);
    const same = before.current && now?.same(before.current.found);
    if (now) now.current = same;
  }

  async more(): Promise<void> {
    const list = this.list;
    if (!list?.next) return;
    const part = await withViewProgress(viewIds.pdfHits, () =>
      this.#text.find(list.question, { limit: pageSize, cursor: list.next }),
    );
    if (this.list !== list) return;
    list.add(part);
    list.keep((found) => this.#text.answers(found));
    this.#describe();
    this.#changed.fire(undefined);
  }

  async clear(): Promise<void> {
    this.#asked += 1;
    await this.#show(undefined);
  }

  reload(): void {
    this.#changed.fire(undefined);
  }

  /** Selects a hit in the view, where that is to be seen; the keyboard stays where it is. */
  async reveal(hit: HitNode): Promise<void> {
    if (this.#view.visible) await this.#view.reveal(hit, { select: true, focus: false });
  }

  getTreeItem(node: PdfHitsNode): vscode.TreeItem {
    return hitItem(node, this.list?.isOneCompany);
  }

  getParent(node: PdfHitsNode): PdfHitsNode | undefined {
    return node.kind === 'hit' ? node.parent : undefined;
  }

  async getChildren(node?: PdfHitsNode): Promise<PdfHitsNode[]> {
    if (!node) return this.#roots();
    if (node.kind === 'state') return [...node.children()];
    return node.kind === 'hitReport' ? node.hits : [];
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #roots(): Promise<PdfHitsNode[]> {
    this.#isReading = true;
    try {
      const state = await this.#text.state();
      await setContextKey('reportLibrary.pdfText', state);
      // Where nothing is searched, an answer of before is none, and F4 is not ours.
      if (state !== 'ready' && this.list) await this.clear();
      this.#describe();
      if (state !== 'ready') return [];
      await this.#readCoverage();
    } catch (error) {
      this.#log.error(problemText(error));
      this.#view.message = problemText(error);
      return [];
    } finally {
      this.#isReading = false;
    }
    const list = this.list;
    const more = () => void this.more().catch((error: unknown) => this.#log.error(problemText(error)));
    return [
      ...(this.#coverage ? [this.#coverage] : []),
      ...(list?.reports ?? []),
      ...(list?.next ? [{ kind: 'more', list: 'pdfHits', showMore: more } as const] : []),
    ];
  }

  async #readCoverage(): Promise<void> {
    const coverage = await this.#text.coverage();
    const bytes = await (await this.#text.index()).bytes(null);
    const node = coverageNode(coverage, bytes, this.#text);
    // The same row, so that what is opened below it stays so.
    this.#coverage = Object.assign(this.#coverage ?? node, { item: node.item, children: node.children });
    this.#searchable = coverage.searchable;
    const isPaused = coverage.paused !== null && coverage.waiting > 0;
    await setContextKey('reportLibrary.pdfReading', coverage.reading ? 'reading' : isPaused ? 'paused' : 'idle');
  }

  async #show(list: HitList | undefined): Promise<void> {
    this.list = list;
    this.#describe();
    await setContextKey('reportLibrary.pdfHits', list !== undefined);
    await setContextKey('reportLibrary.walksPdfHits', list !== undefined && list.hits.length > 0);
    this.#changed.fire(undefined);
  }

  /**
   * Withdrawn reports, PDFs that are gone and those of another connection leave the view, whether it is seen or not,
   * and with it F4 and copying.
   */
  #leaveOut(): void {
    const list = this.list;
    if (!list?.keep((found) => this.#text.answers(found))) return;
    this.#describe();
    this.#changed.fire(undefined);
    if (list.hits.length === 0) this.clear().catch((error: unknown) => this.#log.error(problemText(error)));
  }

  #describe(): void {
    const list = this.list;
    if (!list) {
      this.#view.message = '';
      return;
    }
    const newer = this.#searchable - this.#searched;
    const notes = [
      labelText(list.question.query),
      hitCount(list),
      list.question.scope.words,
      newer > 0 ? vscode.l10n.t('More PDFs were indexed. Refresh to search them') : '',
    ];
    this.#view.message = notes.filter(Boolean).join(' · ');
  }

  #lookSoon(): void {
    if (this.#timer !== undefined || !this.#view.visible) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#look().catch((error: unknown) =>
        this.#log.warn(`How many PDFs are searched is not known: ${problemText(error)}`),
      );
    }, coverageInterval);
  }

  /** Shows how far reading is; an answer without hits is looked for once more, as it may have some by now. */
  async #look(): Promise<void> {
    // Read twice, its rows would be gone for a moment in which a person may click one.
    if (this.#isReading) return this.#lookSoon();
    if (!this.#coverage || (await this.#text.state()) !== 'ready') return this.reload();
    await this.#readCoverage();
    this.#describe();
    this.#changed.fire(this.#coverage);
    if (this.list?.hits.length === 0 && this.#searchable > this.#searched) await this.refresh();
  }
}
