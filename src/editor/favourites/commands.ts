import * as vscode from 'vscode';
import { l10n } from '../../base/l10n.ts';
import { counted } from '../../base/words.ts';
import { type Favourite, favourite, joined, nameOf, tidyNote, tidyTags } from '../../favourites/list.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { Services } from '../../services.ts';
import { chosenOf, reportGroups, reportIds } from '../common/arguments.ts';
import type { CommandRun } from '../common/commands.ts';
import { focusedRow } from '../common/contributions.ts';
import { notificationText } from '../common/messages.ts';
import { panelKey } from '../common/panelUri.ts';
import type { TreeDragController } from '../common/treeDrag.ts';
import type { ConnectionFavourites } from './connectionFavourites.ts';

type Name = 'addFavourite' | 'removeFavourite' | 'toggleFavourite' | 'editFavouriteNote' | 'editFavouriteTags';

/** A company or report that a command is about. */
interface ChosenItem extends Pick<Favourite, 'company_key' | 'report_id' | 'report_key'> {
  /** What a person calls it. */
  readonly words: string;
}

/** What the commands about single favourites do. They take ids, company keys, the rows of a menu, or what is shown. */
export function favouriteCommands(
  services: Services,
  favourites: ConnectionFavourites,
  treeDrag: TreeDragController,
): Readonly<Record<Name, CommandRun>> {
  const chosen = async (args: readonly unknown[]) => subjectsOf(services, await meant(args, treeDrag));
  return {
    addFavourite: async (...args) => add(favourites, await chosen(args)),
    removeFavourite: async (...args) => remove(favourites, await chosen(args)),
    async toggleFavourite(...args) {
      const subjects = await chosen(args);
      const now = await favourites.look();
      await (subjects.every((subject) => now.of(subject)) ? remove : add)(favourites, subjects);
    },
    editFavouriteNote: async (...args) => editNote(favourites, await chosen(args)),
    editFavouriteTags: async (...args) => editTags(favourites, await chosen(args)),
  };
}

/** How often the focused row is asked for. */
const maxTries = 3;

/** What the arguments stand for; without any the panel in front, else the rows that are selected. */
async function meant(args: readonly unknown[], treeDrag: TreeDragController): Promise<readonly unknown[]> {
  if (args[0] === focusedRow) return [await focusedRows(treeDrag)];
  if (args[0] instanceof vscode.Uri) return [inPanel(args[0])];
  if (args[0] !== undefined) return args;
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const shown = input instanceof vscode.TabInputCustom ? inPanel(input.uri) : undefined;
  return [shown ?? treeDrag.selection];
}

/** A tree that is drawn anew in the same moment may give the row that was selected before: then it is asked again. */
async function focusedRows(treeDrag: TreeDragController): Promise<readonly unknown[]> {
  for (let tries = 1; ; tries++) {
    const rows = await treeDrag.focused();
    const isFound = reportIds([rows]).length > 0 || companiesIn([rows]).length > 0;
    if (isFound || tries === maxTries) return rows;
  }
}

function companiesIn(args: readonly unknown[]): string[] {
  return reportGroups(args).flatMap((group) => (group.fiscalYear === undefined ? group.companyKey : []));
}

/** What a panel shows, as the id or key that a program gives. */
function inPanel(uri: vscode.Uri): number | string | undefined {
  const key = panelKey(uri);
  return key?.kind === 'report' ? key.reportId : key?.kind === 'company' ? key.companyKey : undefined;
}

/** @throws Error when the arguments name no company or report, or one that is not known here */
async function subjectsOf(services: Services, args: readonly unknown[]): Promise<ChosenItem[]> {
  const keys = chosenOf(args).filter((value) => typeof value === 'string');
  const ids = reportIds(args);
  const companyKeys = [...new Set([...keys, ...companiesIn(args)])];
  if (ids.length + companyKeys.length === 0)
    throw new Error(vscode.l10n.t('Choose a company or a report in one of the trees, or open one first.'));
  const { library } = await services.library();
  const given = new Map(chosenOf(args).map((node) => [reportIds([node])[0], node]));
  return Promise.all([
    ...companyKeys.map((key) => companySubject(library, key)),
    ...ids.map((id) => reportSubject(library, id, given.get(id))),
  ]);
}

async function companySubject(library: Pick<LibraryCalls, 'company'>, key: string): Promise<ChosenItem> {
  const company = await library.company(key);
  const company_key = company?.company_key ?? key;
  return { company_key, report_id: null, report_key: null, words: company?.company_name ?? company_key };
}

/** @param node the row it was chosen by, which may know one that the library does not */
async function reportSubject(library: Pick<LibraryCalls, 'report'>, id: number, node: unknown): Promise<ChosenItem> {
  const stored = (await library.report(id))?.report;
  const row = (node as { readonly report?: Partial<ChosenItem> } | undefined)?.report;
  const { report_id = id, report_key = row?.report_key ?? null, company_key = row?.company_key } = stored ?? {};
  if (company_key === undefined) throw new Error(vscode.l10n.t('Report {0} is not in your library.', id));
  return { report_id, report_key, company_key, words: stored?.report_title ?? report_key ?? String(id) };
}

function wordsOf(subjects: readonly ChosenItem[]): string {
  const [first] = subjects;
  if (first && subjects.length === 1) return notificationText(first.words);
  return counted(subjects.length, l10n.later('1 favourite'), l10n.later('{0} favourites'));
}

async function add(favourites: ConnectionFavourites, subjects: readonly ChosenItem[]): Promise<void> {
  await favourites.change((items) => joined([...items, ...subjects.map((subject) => bare(subject))]));
  vscode.window.setStatusBarMessage(vscode.l10n.t('Added to Favourites: {0}', wordsOf(subjects)), 3_000);
}

function bare(subject: ChosenItem): Favourite {
  return favourite(subject, { note: '', tags: [] }, subject.report_key);
}

/** Removing what a person wrote can be undone. */
async function remove(favourites: ConnectionFavourites, subjects: readonly ChosenItem[]): Promise<void> {
  const names = new Set(subjects.map(nameOf));
  let removed: readonly Favourite[] = [];
  await favourites.change((items) => {
    removed = items.filter((item) => names.has(nameOf(item)));
    return items.filter((item) => !names.has(nameOf(item)));
  });
  const text = vscode.l10n.t('Removed from Favourites: {0}', wordsOf(subjects));
  const isWritten = removed.some(({ note, tags }) => note !== '' || tags.length > 0);
  if (!isWritten) return void vscode.window.setStatusBarMessage(text, 3_000);
  const undo = vscode.l10n.t('Undo');
  const told = vscode.l10n.t('{0}. Its note and tags are gone too.', text);
  if ((await vscode.window.showInformationMessage(told, undo)) === undo) await favourites.restore(names, removed);
}

async function editNote(favourites: ConnectionFavourites, subjects: readonly ChosenItem[]): Promise<void> {
  const note = await ask(favourites, subjects, {
    title: vscode.l10n.t('Note: {0}', wordsOf(subjects)),
    prompt: vscode.l10n.t('One line, kept on this computer only. Leave empty for none.'),
    valueOf: (item) => item.note,
  });
  if (note !== undefined) await write(favourites, subjects, { note: tidyNote(note) });
}

async function editTags(favourites: ConnectionFavourites, subjects: readonly ChosenItem[]): Promise<void> {
  const { items } = await favourites.look();
  const known = tidyTags(items.flatMap(({ tags }) => tags));
  const prompt = vscode.l10n.t('Separated by commas, kept on this computer only. Leave empty for none.');
  const tags = await ask(favourites, subjects, {
    title: vscode.l10n.t('Tags: {0}', wordsOf(subjects)),
    prompt: known.length > 0 ? `${prompt} ${vscode.l10n.t('In use: {0}', known.join(', '))}` : prompt,
    valueOf: (item) => item.tags.join(', '),
  });
  if (tags !== undefined) await write(favourites, subjects, { tags: tidyTags([tags]) });
}

interface Question {
  readonly title: string;
  readonly prompt: string;
  valueOf(item: Favourite): string;
}

/** Asks for what all of them are to say; it starts with what they say now, if that is one thing. */
async function ask(favourites: ConnectionFavourites, subjects: readonly ChosenItem[], question: Question) {
  const now = await favourites.look();
  const values = new Set(subjects.map((subject) => question.valueOf(now.of(subject) ?? bare(subject))));
  const value = values.size === 1 ? [...values].join() : '';
  return vscode.window.showInputBox({ title: question.title, prompt: question.prompt, value });
}

/** Whatever is written about becomes a favourite. */
function write(
  favourites: ConnectionFavourites,
  subjects: readonly ChosenItem[],
  said: Partial<Pick<Favourite, 'note' | 'tags'>>,
): Promise<void> {
  const names = new Set(subjects.map(nameOf));
  return favourites.change((items) =>
    joined([...items, ...subjects.map(bare)]).map((item) => (names.has(nameOf(item)) ? { ...item, ...said } : item)),
  );
}
