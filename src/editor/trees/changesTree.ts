import * as vscode from 'vscode';
import type { LocalLibrary } from '../../app/session.ts';
import { l10n } from '../../base/l10n.ts';
import { counted, countText, plainText } from '../../base/words.ts';
import type { ChangeKind, LoggedChange } from '../../library/store.ts';
import { LibraryTree, type MoreNode } from '../common/libraryTree.ts';
import { labelText } from '../common/messages.ts';
import { openReportOnClick } from '../common/panelUri.ts';
import { markNote, type PdfMark } from '../common/pdfMarks.ts';
import { hasCurrentPdf, tooltipOf, typeLabel } from '../common/reportNode.ts';

interface DayNode {
  readonly kind: 'day';
  /** Local midnight, ms since the epoch. */
  readonly day: number;
  readonly changes: readonly LoggedChange[];
}

interface ChangeNode {
  readonly kind: 'change';
  /** Named like the report of other trees, so that menus and commands take both. */
  readonly report: { readonly report_id: number; readonly report_key: string };
  readonly change: LoggedChange;
  mark?: PdfMark | undefined;
}

export type ChangesNode = DayNode | ChangeNode | MoreNode;

/** What changed in the library, newest first, by day. */
export class ChangesTree extends LibraryTree<DayNode | ChangeNode> {
  protected tooltip(node: DayNode | ChangeNode): vscode.MarkdownString | undefined {
    return node.kind === 'change' ? changeTooltip(node, vscode.env.language) : undefined;
  }

  protected item(node: DayNode | ChangeNode): vscode.TreeItem {
    return node.kind === 'day' ? dayItem(node, Date.now(), vscode.env.language) : changeItem(node);
  }

  protected override forget(): void {
    super.forget();
    this.view.badge = undefined;
  }

  protected async children(local: LocalLibrary, node?: DayNode | ChangeNode): Promise<ChangesNode[]> {
    if (node) return node.kind === 'day' ? [...(await this.mark(node.changes.map(changeNode)))] : [];
    await this.#count(local);
    const { items, more } = await this.paged('changes', async ({ after, limit }) => {
      const found = await local.library.changes({ ...(after && { before: Number(after) }), limit });
      return { items: found, next: found.length < limit ? null : String(found.at(-1)?.seq) };
    });
    return [...groupByDay(items), ...more];
  }

  /** The badge counts changes of reports whose PDF is here, if there are any such PDFs, else all changes. */
  async #count(local: LocalLibrary): Promise<void> {
    const mine = await this.context.marks.here();
    const unseen = await local.library.unseen(mine);
    if (!this.isShown(local)) return;
    const count = mine.length > 0 ? unseen.mine : unseen.all;
    const tooltip =
      mine.length > 0
        ? vscode.l10n.t('New changes of downloaded reports: {0}', countText(count))
        : vscode.l10n.t('New changes: {0}', countText(count));
    this.view.badge = count === 0 ? undefined : { value: count, tooltip };
    this.describe(unseen.all === 0 ? '' : vscode.l10n.t('{0} new', countText(unseen.all)), '');
  }
}

function changeNode(change: LoggedChange): ChangeNode {
  const { report_id, report_key } = change;
  return { kind: 'change', report: { report_id, report_key }, change };
}

const dayLength = 86_400_000;

/** Groups changes by local day, newest first. */
function groupByDay(changes: readonly LoggedChange[]): DayNode[] {
  const days = Map.groupBy(changes, ({ at }) => new Date(at).setHours(0, 0, 0, 0));
  return [...days]
    .sort(([a], [b]) => b - a)
    .map(([day, group]) => ({ kind: 'day', day, changes: group.sort((a, b) => b.seq - a.seq) }));
}

/** How a day looks: by name as long as that is clear. */
function dayItem({ day, changes }: DayNode, now: number, language: string): vscode.TreeItem {
  const item = new vscode.TreeItem(dayName(day, now, language), vscode.TreeItemCollapsibleState.Expanded);
  item.id = `day:${day}`;
  item.description = counted(changes.length, l10n.later('1 change'), l10n.later('{0} changes'));
  item.contextValue = 'day';
  return item;
}

function dayName(day: number, now: number, language: string): string {
  const today = new Date(now).setHours(0, 0, 0, 0);
  // Days may be 23 or 25 hours long.
  const ago = Math.round((today - day) / dayLength);
  if (ago === 0) return vscode.l10n.t('Today');
  if (ago === 1) return vscode.l10n.t('Yesterday');
  const isNear = ago > 0 && ago < 7;
  return new Date(day).toLocaleDateString(language, isNear ? { weekday: 'long' } : { dateStyle: 'long' });
}

/** A kind of change in full and in a row, Git's color for it, and its icon. */
const looks: Readonly<Record<ChangeKind, readonly [words: string, short: string, color: string, icon: string]>> = {
  new: [vscode.l10n.t('New report'), vscode.l10n.t('New'), 'added', 'diff-added'],
  pdf: [vscode.l10n.t('PDF changed'), vscode.l10n.t('New PDF'), 'modified', 'file-pdf'],
  metadata: [vscode.l10n.t('Metadata changed'), vscode.l10n.t('Metadata'), 'modified', 'edit'],
  withdrawn: [vscode.l10n.t('Withdrawn'), vscode.l10n.t('Withdrawn'), 'deleted', 'diff-removed'],
  removed: [vscode.l10n.t('No longer listed'), vscode.l10n.t('Removed'), 'deleted', 'diff-removed'],
};

/** What happened. A new report key says more than that the metadata changed (RID-2). */
function whatHappened({ kind, renamed }: LoggedChange): string {
  const [words] = looks[kind];
  if (!renamed) return words;
  const renaming = vscode.l10n.t('Renamed from {0} to {1}', renamed.from, renamed.to);
  return kind === 'metadata' ? renaming : `${words} · ${renaming}`;
}

function changeItem({ change, mark }: ChangeNode): vscode.TreeItem {
  const [, short, color, icon] = looks[change.kind];
  const words = whatHappened(change);
  const company = change.company_name ?? change.company_key;
  const year = change.fiscal_year === null ? vscode.l10n.t('undated') : String(change.fiscal_year);
  const rest = [typeLabel(change.type), year];
  const notes = [change.renamed ? words : short, markNote(mark), year];
  const item = new vscode.TreeItem(labelText(company), vscode.TreeItemCollapsibleState.None);
  item.id = `change:${change.seq}`;
  item.description = labelText(notes.filter(Boolean).join(' · '));
  item.iconPath = new vscode.ThemeIcon(icon, new vscode.ThemeColor(`gitDecoration.${color}ResourceForeground`));
  const isGone = change.kind === 'withdrawn' || change.kind === 'removed';
  item.contextValue = isGone ? 'change.gone' : hasCurrentPdf(mark) ? 'change.downloaded' : 'change.listed';
  item.command = openReportOnClick(change);
  const spoken = [company, words, ...rest, ...(mark ? [mark.words] : [])];
  item.accessibilityInformation = { label: plainText(spoken.join(', ')) };
  return item;
}

/** What a change's tooltip says; made only when somebody hovers. */
function changeTooltip({ change, mark }: ChangeNode, language: string): vscode.MarkdownString {
  return tooltipOf(change.title ?? change.report_key, [
    [vscode.l10n.t('Company'), change.company_name ?? change.company_key],
    [vscode.l10n.t('What'), whatHappened(change)],
    [vscode.l10n.t('When'), new Date(change.at).toLocaleString(language)],
    [vscode.l10n.t('Report key'), change.report_key],
    [vscode.l10n.t('Changed'), change.fields.join(', ')],
    [vscode.l10n.t('PDF downloaded'), mark?.tooltip ?? null],
  ]);
}
