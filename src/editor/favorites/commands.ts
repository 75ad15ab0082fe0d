import * as vscode from 'vscode';
import type { Services } from '../../app/session.ts';
import { l10n } from '../../base/l10n.ts';
import { counted } from '../../base/words.ts';
import { type Favorite, joined, nameOf } from '../../favorites/favorites.ts';
import type { LibraryCalls } from '../../library/library.ts';
import { chosenOf, reportGroups, reportIds } from '../common/arguments.ts';
import type { CommandRun } from '../common/commands.ts';
import { selectedRows } from '../common/contributions.ts';
import { notificationText } from '../common/messages.ts';
import { type PanelKey, panelInFront, panelKey } from '../common/panelUri.ts';
import type { TreeDragController } from '../common/treeDrag.ts';
import type { ConnectionFavorites, FavoritesHere } from './connectionFavorites.ts';

interface ChosenItem extends Favorite {
  /** What a person calls it. */
  readonly words: string;
}

/** The commands about favorites. They take ids, company keys, the rows of a menu, or what is shown. */
export function favoriteCommands(services: Services, favorites: ConnectionFavorites, treeDrag: TreeDragController) {
  type Work = (here: FavoritesHere, subjects: readonly ChosenItem[]) => Promise<void>;
  const run =
    (work: Work): CommandRun =>
    async (...args) => {
      const targets = resolveTargets(args, treeDrag);
      const here = await favorites.here();
      await work(here, await subjectsOf(async () => (await services.library()).library, targets));
    };
  return {
    addFavourite: run(add),
    removeFavourite: run(remove),
    toggleFavourite: run(async (here, subjects) => {
      const now = await here.read();
      await (subjects.every((subject) => now.has(subject)) ? remove : add)(here, subjects);
    }),
  };
}

/** What the arguments stand for; without any the page in front, else the rows that are selected. */
function resolveTargets(args: readonly unknown[], treeDrag: TreeDragController): readonly unknown[] {
  if (args[0] === selectedRows) return [treeDrag.selection];
  if (args[0] instanceof vscode.Uri) return [shownBy(panelKey(args[0]))];
  if (args[0] !== undefined) return args;
  return [shownBy(panelInFront()) ?? treeDrag.selection];
}

/** The report or company of a page, as the id or key that a program gives. */
function shownBy(key: PanelKey | undefined): number | string | undefined {
  return key?.kind === 'report' ? key.reportId : key?.kind === 'company' ? key.companyKey : undefined;
}

type KnownReads = Pick<LibraryCalls, 'company' | 'report' | 'summaries'>;

/**
 * What the arguments name, as the library knows it.
 * @throws Error when they name no company or report, or one that is not known here
 */
export async function subjectsOf(open: () => Promise<KnownReads>, args: readonly unknown[]): Promise<ChosenItem[]> {
  const keys = chosenOf(args).filter((value) => typeof value === 'string');
  const companies = reportGroups(args).flatMap((group) => (group.fiscalYear === undefined ? group.companyKey : []));
  const ids = reportIds(args);
  const companyKeys = [...new Set([...keys, ...companies])];
  if (ids.length + companyKeys.length === 0)
    throw new Error(vscode.l10n.t('Select or open a report or company first.'));
  const library = await open();
  const given = new Map(chosenOf(args).map((node) => [reportIds([node])[0], node]));
  const subjects = await Promise.all(companyKeys.map((key) => companySubject(library, key)));
  const held = new Map((await library.summaries(ids)).map((report) => [report.report_id, report]));
  for (const id of ids) {
    const report = held.get(id);
    if (report?.state === 'listed') {
      const { report_id, report_key, company_key, title } = report;
      subjects.push({ report_id, report_key, company_key, words: title ?? report_key });
    } else {
      // It may have been merged into another report (RID-1).
      subjects.push(await reportSubject(library, id, given.get(id)));
    }
  }
  return subjects;
}

async function companySubject(library: KnownReads, key: string): Promise<ChosenItem> {
  const company = await library.company(key);
  const company_key = company?.company_key ?? key;
  return { company_key, report_id: null, report_key: null, words: company?.company_name ?? company_key };
}

/** @param node the row it was chosen by, which may know one that the library does not */
async function reportSubject(library: KnownReads, id: number, node: unknown): Promise<ChosenItem> {
  const stored = (await library.report(id))?.report;
  const row = (node as { readonly report?: Partial<ChosenItem> } | undefined)?.report;
  const { report_id = id, report_key = row?.report_key ?? null, company_key = row?.company_key } = stored ?? {};
  if (company_key === undefined) throw new Error(vscode.l10n.t('Report {0} is not in your library.', id));
  return { report_id, report_key, company_key, words: stored?.report_title ?? report_key ?? String(id) };
}

function wordsOf(subjects: readonly ChosenItem[]): string {
  const [first] = subjects;
  if (first && subjects.length === 1) return notificationText(first.words);
  return counted(subjects.length, l10n.later('1 favorite'), l10n.later('{0} favorites'));
}

async function add(favorites: FavoritesHere, subjects: readonly ChosenItem[]): Promise<void> {
  const added = subjects.map(({ company_key, report_id, report_key }) => ({ company_key, report_id, report_key }));
  await favorites.change((items) => joined([...items, ...added]));
  vscode.window.setStatusBarMessage(vscode.l10n.t('Added to Favorites: {0}', wordsOf(subjects)), 3_000);
}

async function remove(favorites: FavoritesHere, subjects: readonly ChosenItem[]): Promise<void> {
  const names = new Set(subjects.map(nameOf));
  await favorites.change((items) => items.filter((item) => !names.has(nameOf(item))));
  vscode.window.setStatusBarMessage(vscode.l10n.t('Removed from Favorites: {0}', wordsOf(subjects)), 3_000);
}
