import * as vscode from 'vscode';
import { l10n } from '../../base/l10n.ts';
import { counted } from '../../base/words.ts';
import {
  type Favourite,
  favourite,
  joined,
  maxItems,
  nameOf,
  tidyNote,
  tidyTags,
  tooMany,
} from '../../favourites/list.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { Services } from '../../services.ts';
import { chosenOf, reportGroups, reportIds } from '../common/arguments.ts';
import type { CommandRun } from '../common/commands.ts';
import { selectedRows } from '../common/contributions.ts';
import { notificationText, tellAndOffer } from '../common/messages.ts';
import { type PanelKey, panelInFront, panelKey } from '../common/panelUri.ts';
import type { TreeDragController } from '../common/treeDrag.ts';
import type { ConnectionFavourites, FavouritesHere } from './connectionFavourites.ts';

interface ChosenItem extends Pick<Favourite, 'company_key' | 'report_id' | 'report_key'> {
  /** What a person calls it. */
  readonly words: string;
}

/** What the commands about single favourites do. They take ids, company keys, the rows of a menu, or what is shown. */
export function favouriteCommands(services: Services, favourites: ConnectionFavourites, treeDrag: TreeDragController) {
  type Work = (here: FavouritesHere, subjects: readonly ChosenItem[]) => Promise<void>;
  const run =
    (work: Work): CommandRun =>
    async (...args) => {
      const given = targetsOf(args, treeDrag);
      const here = await favourites.here();
      await work(here, await subjectsOf(async () => (await services.library()).library, given));
    };
  return {
    addFavourite: run(add),
    removeFavourite: run(remove),
    toggleFavourite: run(async (here, subjects) => {
      const now = await here.look();
      await (subjects.every((subject) => now.of(subject)) ? remove : add)(here, subjects);
    }),
    editFavouriteNote: run(editNote),
    editFavouriteTags: run(editTags),
  };
}

/** What the arguments stand for; without any the panel in front, else the rows that are selected. */
function targetsOf(args: readonly unknown[], treeDrag: TreeDragController): readonly unknown[] {
  if (args[0] === selectedRows) return [treeDrag.selection];
  if (args[0] instanceof vscode.Uri) return [inPanel(panelKey(args[0]))];
  if (args[0] !== undefined) return args;
  return [inPanel(panelInFront()) ?? treeDrag.selection];
}

function companiesIn(args: readonly unknown[]): string[] {
  return reportGroups(args).flatMap((group) => (group.fiscalYear === undefined ? group.companyKey : []));
}

/** What a panel shows, as the id or key that a program gives. */
function inPanel(key: PanelKey | undefined): number | string | undefined {
  return key?.kind === 'report' ? key.reportId : key?.kind === 'company' ? key.companyKey : undefined;
}

type KnownReads = Pick<LibraryCalls, 'company' | 'report' | 'summaries'>;

/**
 * What the arguments name, as the library knows it.
 * @throws Error when they name no company or report, one that is not known here, or more than there can be favourites
 */
export async function subjectsOf(open: () => Promise<KnownReads>, args: readonly unknown[]): Promise<ChosenItem[]> {
  const keys = chosenOf(args).filter((value) => typeof value === 'string');
  const ids = reportIds(args);
  const companyKeys = [...new Set([...keys, ...companiesIn(args)])];
  if (ids.length + companyKeys.length === 0)
    throw new Error(vscode.l10n.t('Choose a company or a report in one of the trees, or open one first.'));
  if (ids.length + companyKeys.length > maxItems) throw tooMany(vscode.l10n.t('Favourites'));
  const library = await open();
  const given = new Map(chosenOf(args).map((node) => [reportIds([node])[0], node]));
  const subjects = await Promise.all(companyKeys.map((key) => companySubject(library, key)));
  for (let from = 0; from < ids.length; from += idsAtOnce) {
    const some = ids.slice(from, from + idsAtOnce);
    const held = new Map((await library.summaries(some)).map((report) => [report.report_id, report]));
    for (const id of some) {
      const report = held.get(id);
      if (report?.state === 'listed') subjects.push({ ...namesOf(report), words: report.title ?? report.report_key });
      // It may be known by the id of another one that it was merged into (RID-1).
      else subjects.push(await reportSubject(library, id, given.get(id)));
    }
  }
  return subjects;
}

/** Reports read with one call. */
const idsAtOnce = 5_000;

function namesOf({ report_id, report_key, company_key }: Omit<ChosenItem, 'words'>): Omit<ChosenItem, 'words'> {
  return { report_id, report_key, company_key };
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
  return counted(subjects.length, l10n.later('1 favourite'), l10n.later('{0} favourites'));
}

async function add(favourites: FavouritesHere, subjects: readonly ChosenItem[]): Promise<void> {
  await favourites.change((items) => joined([...items, ...subjects.map((subject) => bare(subject))]));
  vscode.window.setStatusBarMessage(vscode.l10n.t('Added to Favourites: {0}', wordsOf(subjects)), 3_000);
}

function bare(subject: ChosenItem): Favourite {
  return favourite(subject, { note: '', tags: [] }, subject.report_key);
}

/** Removing what a person wrote can be undone. */
async function remove(favourites: FavouritesHere, subjects: readonly ChosenItem[]): Promise<void> {
  const names = new Set(subjects.map(nameOf));
  let removed: readonly Favourite[] = [];
  await favourites.change((items) => {
    removed = items.filter((item) => names.has(nameOf(item)));
    return items.filter((item) => !names.has(nameOf(item)));
  });
  const text = vscode.l10n.t('Removed from Favourites: {0}', wordsOf(subjects));
  const isWritten = removed.some(({ note, tags }) => note !== '' || tags.length > 0);
  if (!isWritten) return void vscode.window.setStatusBarMessage(text, 3_000);
  await tellAndOffer(vscode.l10n.t('{0}. Its note and tags are gone too.', text), {
    // Notes written since stay.
    [vscode.l10n.t('Undo')]: () => favourites.change((items) => joined([...items, ...removed], 'keep')),
  });
}

async function editNote(favourites: FavouritesHere, subjects: readonly ChosenItem[]): Promise<void> {
  const note = await ask(favourites, subjects, {
    title: vscode.l10n.t('Note: {0}', wordsOf(subjects)),
    prompt: vscode.l10n.t('One line, kept on this computer only. Leave empty for none.'),
    valueOf: (item) => item.note,
  });
  if (note !== undefined) await write(favourites, subjects, { note: tidyNote(note) });
}

async function editTags(favourites: FavouritesHere, subjects: readonly ChosenItem[]): Promise<void> {
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

interface InputQuestion {
  readonly title: string;
  readonly prompt: string;
  valueOf(item: Favourite): string;
}

/** Asks for what all of them are to say; it starts with what they say now, if that is one thing. */
async function ask(favourites: FavouritesHere, subjects: readonly ChosenItem[], question: InputQuestion) {
  const now = await favourites.look();
  const values = new Set(subjects.map((subject) => question.valueOf(now.of(subject) ?? bare(subject))));
  const value = values.size === 1 ? [...values].join() : '';
  const { title, prompt } = question;
  // What was typed outlasts a look at something else.
  return vscode.window.showInputBox({ title, prompt, value, ignoreFocusOut: true });
}

/** Whatever is written about becomes a favourite. */
function write(
  favourites: FavouritesHere,
  subjects: readonly ChosenItem[],
  said: Partial<Pick<Favourite, 'note' | 'tags'>>,
): Promise<void> {
  const names = new Set(subjects.map(nameOf));
  return favourites.change((items) =>
    joined([...items, ...subjects.map(bare)]).map((item) => (names.has(nameOf(item)) ? { ...item, ...said } : item)),
  );
}
