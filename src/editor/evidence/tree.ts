import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { pageWords } from '../../evidence/forms.ts';
import { countsOf, evidenceName, firstPage } from '../../evidence/record.ts';
import { setContextKey } from '../common/commands.ts';
import { commandIds, viewIds } from '../common/contributions.ts';
import { labelText, problemText } from '../common/messages.ts';
import { withViewProgress } from '../common/progress.ts';
import { pageName } from '../common/reportNode.ts';
import { type CheckedQuote, type EvidenceCheck, wordsOfState } from './checkEvidence.ts';
import type { EvidencePorts } from './context.ts';
import { onDidChangeEvidence } from './evidenceFiles.ts';
import { hoverOf } from './marks.ts';
import { evidenceLabel, type NameSource, sourceNames } from './openEvidence.ts';

/** Quotes of one state, as a row above theirs. */
interface StateNode {
  readonly kind: 'evidenceState';
  readonly state: CheckedQuote['state'];
  readonly quotes: readonly CheckedQuote[];
}

/** A row of the Evidence view. */
export type EvidenceNode = StateNode | CheckedQuote;

const icons = { same: 'pass', found: 'search', ambiguous: 'question', gone: 'error', 'not-here': 'cloud' } as const;

/** The most urgent come first. */
const order = ['gone', 'ambiguous', 'found', 'not-here', 'same'] as const;

/** How long (ms) changes of the files from outside are waited for, as by a merge, before they are read. */
const quiet = 500;

type EvidenceView = Pick<vscode.TreeView<EvidenceNode>, 'message' | 'visible'>;

/**
 * This window's quotes by their states at the last check. The view appears with the first quote or check, and is there
 * again in later windows of a workspace that has some.
 */
export class EvidenceTree implements vscode.TreeDataProvider<EvidenceNode>, Disposable {
  readonly #ports: EvidencePorts;
  readonly #check: () => Promise<EvidenceCheck>;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<undefined>());
  readonly #view: EvidenceView;
  readonly #noteKept: (isKept: boolean) => Promise<void>;
  #checked: EvidenceCheck | undefined;
  #checking: Promise<void> | undefined;
  #shown: EvidenceCheck | undefined;
  #sourceOf: NameSource;
  #timer: NodeJS.Timeout | undefined;
  #isStale = true;

  readonly onDidChangeTreeData = this.#changed.event;

  /**
   * @param check looks at all quotes, and marks them in documents too
   * @param noteKept is told whether there are any
   */
  constructor(
    ports: EvidencePorts,
    check: () => Promise<EvidenceCheck>,
    view: EvidenceView,
    noteKept: (isKept: boolean) => Promise<void>,
  ) {
    this.#ports = ports;
    this.#sourceOf = sourceNames(ports);
    this.#check = check;
    this.#view = view;
    this.#noteKept = noteKept;
    this.#store.add(
      onDidChangeEvidence(() => {
        this.#appear(true).then(() => this.#checkAgain(), this.#log);
      }),
    );
    const files = this.#store.add(vscode.workspace.createFileSystemWatcher(`**/${evidenceName}`));
    for (const event of [files.onDidCreate, files.onDidChange, files.onDidDelete])
      this.#store.add(event(() => this.#scheduleCheck()));
    this.#store.add({ dispose: () => clearTimeout(this.#timer) });
  }

  get quotes(): readonly CheckedQuote[] {
    return this.#checked?.quotes ?? [];
  }

  async show(check: EvidenceCheck): Promise<void> {
    this.#isStale = false;
    this.#checked = check;
    await this.#appear(check.quotes.length > 0);
    this.#changed.fire(undefined);
  }

  async getChildren(node?: EvidenceNode): Promise<EvidenceNode[]> {
    if (node) return 'quotes' in node ? [...node.quotes] : [];
    await this.#ensureChecked();
    this.#shown = this.#checked;
    this.#sourceOf = sourceNames(this.#ports);
    const { quotes } = this;
    const counts = quotes.length > 0 ? countsOf(quotes.map(({ record }) => record)) : '';
    this.#view.message = [counts, this.#checked?.problems[0]].filter(Boolean).join(' · ');
    const byState = Map.groupBy(quotes, ({ state }) => state);
    return order.flatMap((state): StateNode[] => {
      const of = byState.get(state);
      return of ? [{ kind: 'evidenceState', state, quotes: of }] : [];
    });
  }

  async getTreeItem(node: EvidenceNode): Promise<vscode.TreeItem> {
    return 'quotes' in node ? stateItem(node) : quoteItem(node, await this.#sourceOf(node.record));
  }

  async resolveTreeItem(item: vscode.TreeItem, node: EvidenceNode, token: vscode.CancellationToken) {
    if ('record' in node) item.tooltip = await hoverOf(this.#ports, node.record, node, token);
    return item;
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Makes the view appear, which the person opens; what it shows is read when it is seen. */
  async #appear(isKept: boolean): Promise<void> {
    await setContextKey('reportLibrary.evidence', true);
    await this.#noteKept(isKept);
  }

  /**
   * Checks again: now if the view is visible, otherwise when it is next shown. Rows are refreshed only if they change,
   * so that an open menu keeps its row.
   */
  async #checkAgain(): Promise<void> {
    this.#isStale = true;
    if (this.#view.visible) await this.#ensureChecked();
    if (this.#isStale || textOf(this.#shown) !== textOf(this.#checked)) this.#changed.fire(undefined);
  }

  /** Runs one check for all callers until its result is current. */
  #ensureChecked(): Promise<void> {
    this.#checking ??= this.#checkStale().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #checkStale(): Promise<void> {
    try {
      // A change during the check makes it stale again.
      while (this.#isStale) {
        this.#isStale = false;
        this.#checked = await withViewProgress(viewIds.evidence, this.#check);
        await this.#noteKept(this.quotes.length > 0);
      }
    } catch (error) {
      this.#isStale = true;
      this.#checked = { quotes: [], problems: [problemText(error)] };
      this.#log(error);
    }
  }

  readonly #log = (error: unknown): void => this.#ports.log.error(problemText(error));

  #scheduleCheck(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#checkAgain(), quiet);
  }
}

/** Everything that rows show of a check, for comparison. */
function textOf(check: EvidenceCheck | undefined): string {
  const quotes = check?.quotes.map(({ root, ...quote }) => [root.uri.toString(), quote]);
  return JSON.stringify([quotes, check?.problems]);
}

function stateItem({ state, quotes }: StateNode): vscode.TreeItem {
  const item = new vscode.TreeItem(wordsOfState(state), vscode.TreeItemCollapsibleState.Expanded);
  item.id = state;
  item.description = String(quotes.length);
  item.iconPath = new vscode.ThemeIcon(icons[state]);
  item.contextValue = 'evidenceState';
  return item;
}

function quoteItem(quote: CheckedQuote, source: string): vscode.TreeItem {
  const { record, root, state } = quote;
  const words = labelText(record.selector.exact);
  const size = sizeOf(record);
  const item = new vscode.TreeItem(size ?? words);
  const [place, shown] = [pageWords, (page: number, label: string | null) => pageName({ page, label })].map((words) =>
    labelText(placeOf(quote, words)),
  );
  item.id = `${root.uri.toString()} ${record.id}`;
  item.description = [shown ?? '', size ? words : '', record.note, source].filter(Boolean).map(labelText).join(' · ');
  item.iconPath = new vscode.ThemeIcon(icons[state]);
  item.contextValue = `evidence-${state}`;
  const spoken = [wordsOfState(state), evidenceLabel(record), source, place, record.note];
  item.accessibilityInformation = { label: spoken.filter(Boolean).join(', ') };
  item.command = {
    command: commandIds.openEvidence,
    title: vscode.l10n.t('Open Evidence'),
    arguments: [quote],
  };
  return item;
}

/** What tells a table from others, whose first words are often the same; undefined for a quote. */
function sizeOf({ kind, regions }: CheckedQuote['record']): string | undefined {
  if (kind !== 'table') return undefined;
  const rows = regions.flatMap(({ cells = [] }) => cells);
  return vscode.l10n.t('Table {0} × {1}', rows.length, rows[0]?.length ?? 0);
}

function placeOf(
  { record, state, page, label = null, reason }: CheckedQuote,
  words: (page: number, label: string | null) => string,
): string {
  const before = words(firstPage(record), record.regions[0]?.label ?? null);
  if (state === 'found' && page !== undefined) return vscode.l10n.t('was {0}, is {1} now', before, words(page, label));
  return reason ?? before;
}
