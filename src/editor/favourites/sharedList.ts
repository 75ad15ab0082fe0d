import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { l10n } from '../../base/l10n.ts';
import { counted } from '../../base/words.ts';
import { changeFile, readText } from '../../downloads/changeFile.ts';
import type { FileAt } from '../../downloads/publish.ts';
import {
  beyond,
  cutWords,
  type Favourite,
  formatList,
  joined,
  listName,
  nameOf,
  parseList,
  undone,
} from '../../favourites/list.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { CommandRun } from '../common/commands.ts';
import { RestrictedError, tellAndOffer } from '../common/messages.ts';
import type { ConnectionFavourites, FavouritesHere } from './connectionFavourites.ts';

export function listCommands(
  favourites: ConnectionFavourites,
  library: () => Promise<KnownReports>,
): Readonly<Record<'writeFavouritesList' | 'readFavouritesList', CommandRun>> {
  return {
    writeFavouritesList: async () => writeList(await favourites.here()),
    readFavouritesList: async (file) => readList(await favourites.here(), library, file),
  };
}

/** More lists than a person chooses from. */
const maxLists = 50;

async function lists(): Promise<vscode.Uri[]> {
  const found = await vscode.workspace.findFiles(`**/${listName}`, '**/{node_modules,.git,.venv,venv}/**', maxLists);
  return found.sort((a, b) => a.path.length - b.path.length || (a.path < b.path ? -1 : 1));
}

/** Where a file is, guarded by the folder that was opened: a link in it leads nowhere. */
function placeOf(file: vscode.Uri): FileAt {
  const folder = vscode.workspace.getWorkspaceFolder(file);
  if (!folder || file.scheme !== 'file')
    throw new Error(vscode.l10n.t('Lists are read and written in a folder on disk that is open. Open one first.'));
  return { root: folder.uri.fsPath, path: file.path.slice(folder.uri.path.length).replace(/^\//, '') };
}

function count(items: readonly unknown[]): string {
  return counted(items.length, l10n.later('1 favourite'), l10n.later('{0} favourites'));
}

/** Write Favourites to Workspace…: into a new list, or an existing one, where others' entries stay unless replaced. */
async function writeList(favourites: FavouritesHere): Promise<void> {
  if (!vscode.workspace.isTrusted)
    throw new RestrictedError(
      vscode.l10n.t('Favourites are not written in Restricted Mode. Trust this workspace first, then try again.'),
    );
  const { items } = await favourites.look();
  if (items.length === 0)
    throw new Error(vscode.l10n.t('You have no favourites yet. Add companies or reports to them first.'));
  const present = await lists();
  const fresh = (vscode.workspace.workspaceFolders ?? [])
    .map(({ uri }) => vscode.Uri.joinPath(uri, listName))
    .filter((uri) => !present.some((other) => other.toString() === uri.toString()));
  const file = await choose([...present, ...fresh], vscode.l10n.t('Write Favourites to Workspace'), present.length);
  if (!file) return;
  const at = placeOf(file);
  const name = vscode.workspace.asRelativePath(file);
  const text = await readText(at);
  const others = text === undefined ? [] : beyond(parseList(text, name), items);
  const keep = others.length === 0 || (await askToKeep(name, others, items));
  if (keep === undefined) return;
  const update = (now: string | undefined) =>
    formatList(keep && now !== undefined ? joined([...items, ...parseList(now, name)], 'keep') : items, name);
  await changeFile(at, update);
  await tellAndOffer(vscode.l10n.t('Wrote {0} to {1}.', count(items), name), {
    [vscode.l10n.t('Open')]: () => vscode.commands.executeCommand('vscode.open', file),
  });
}

async function askToKeep(
  name: string,
  others: readonly Favourite[],
  mine: readonly Favourite[],
): Promise<boolean | undefined> {
  const noted = new Map(mine.map((item) => [nameOf(item), item.note]));
  const isReplaced = others.some(
    (item) => item.note !== '' && ![undefined, '', item.note].includes(noted.get(nameOf(item))),
  );
  const detail = vscode.l10n.t('Where you and others wrote a note, yours replaces theirs.');
  const entries = counted(others.length, l10n.later('1 entry'), l10n.later('{0} entries'));
  const add = vscode.l10n.t('Add My Favourites');
  const replace = vscode.l10n.t('Replace the List');
  const chosen = await vscode.window.showQuickPick(
    [
      { label: add, description: vscode.l10n.t('{0} of others stay', entries), ...(isReplaced && { detail }) },
      { label: replace, description: vscode.l10n.t('{0} of others are removed', entries) },
    ],
    { title: vscode.l10n.t('Write Favourites to {0}', name) },
  );
  return chosen && chosen.label === add;
}

/** @param known how many of the files, from the first, are there already */
async function choose(
  files: readonly vscode.Uri[],
  title: string,
  known = files.length,
): Promise<vscode.Uri | undefined> {
  const [first, second] = files;
  if (!second) return first;
  const items = files.map((file, index) => {
    const words = vscode.workspace.asRelativePath(file);
    return { label: words, ...(index >= known && { description: vscode.l10n.t('new file') }), file };
  });
  return (await vscode.window.showQuickPick(items, { title }))?.file;
}

/** With more entries of another service than these nobody looks for one that was renamed. */
const maxLookedUp = 500;

/** What the library on this machine knows of reports by id or key, the former ones too. */
export type KnownReports = Pick<LibraryCalls, 'summaries' | 'report'>;

/**
 * The entries of a list whose id is another report here than the one their key names: lists say of no service that they
 * are of it. What the library doesn't know is not among them.
 */
export async function otherwiseNamed(library: KnownReports, items: readonly Favourite[]): Promise<Set<Favourite>> {
  const keyed = items.filter(({ report_id, report_key }) => report_id !== null && report_key !== null);
  const held = await library.summaries(keyed.flatMap(({ report_id }) => report_id ?? []));
  const keys = new Map(held.map(({ report_id, report_key }) => [report_id, report_key]));
  const others = new Set<Favourite>();
  for (const item of keyed) {
    const key = keys.get(item.report_id ?? 0);
    if (key === undefined || key === item.report_key) continue;
    // It may have been renamed since the list was written.
    const now = others.size < maxLookedUp ? await library.report(item.report_key ?? '') : null;
    if (now?.report.report_id !== item.report_id) others.add(item);
  }
  return others;
}

/** Asks about entries that name other reports here; undefined when the person leaves. */
async function leaveOutOthers(
  items: readonly Favourite[],
  others: ReadonlySet<Favourite>,
  name: string,
): Promise<readonly Favourite[] | undefined> {
  if (others.size === 0) return items;
  const words = counted(
    others.size,
    l10n.later('1 entry has the id of another report in your library.'),
    l10n.later('{0} entries have the ids of other reports in your library.'),
  );
  const detail = vscode.l10n.t('{0} may be a list of another service.', name);
  const leaveOut = vscode.l10n.t('Leave Them Out');
  const readAll = vscode.l10n.t('Read All');
  const chosen = await vscode.window.showWarningMessage(words, { modal: true, detail }, leaveOut, readAll);
  if (chosen === undefined) return undefined;
  return chosen === readAll ? items : items.filter((item) => !others.has(item));
}

/** Read List…: adds what a list names to the favourites; what they say already stays. */
async function readList(
  favourites: FavouritesHere,
  library: () => Promise<KnownReports>,
  given: unknown,
): Promise<void> {
  const found = given instanceof vscode.Uri ? [given] : await lists();
  if (found.length === 0)
    throw new Error(vscode.l10n.t('There is no {0} in this workspace. Write your favourites to one first.', listName));
  const file = await choose(found, vscode.l10n.t('Read List'));
  if (!file) return;
  const name = vscode.workspace.asRelativePath(file);
  const text = await readText(placeOf(file));
  if (text === undefined) throw new Error(vscode.l10n.t('{0} is no longer there.', name));
  let isCut = false;
  const all = parseList(text, basename(name), () => {
    isCut = true;
  });
  const theirs = await leaveOutOthers(all, await otherwiseNamed(await library(), all), name);
  if (!theirs) return;
  const names = new Set(theirs.map(nameOf));
  let before: readonly Favourite[] = [];
  let left: readonly Favourite[] = [];
  await favourites.change((items) => {
    before = items.filter((item) => names.has(nameOf(item)));
    const after = joined([...items, ...theirs], 'keep');
    left = after.filter((item) => names.has(nameOf(item)));
    return after;
  });
  const added = theirs.length - before.length;
  const read = vscode.l10n.t('Read {0}: {1} added, {2} known before.', name, added, before.length);
  const undo = { [vscode.l10n.t('Undo')]: () => favourites.change((now) => undone(now, left, before)) };
  const isChanged = !isDeepStrictEqual(left, before);
  await tellAndOffer(isCut ? `${read} ${cutWords()}` : read, isChanged ? undo : {});
}
