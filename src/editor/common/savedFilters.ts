import * as vscode from 'vscode';
import { isObject } from '../../base/json.ts';
import { tidy } from './messages.ts';
import { heading, showUntilAnswered } from './pickWhileTyping.ts';
import { describeFilter, isEmptyFilter, type ReportsFilter, readFilter } from './reportsFilter.ts';

interface SavedFilter {
  readonly name: string;
  readonly filter: ReportsFilter;
}

/** Where saved filters are kept; the editor's own state of the machine. */
export interface FilterMemory {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

const memoryKey = 'reports.savedFilters';
const maxSaved = 200;

/** What in a workspace has a filter. */
type Filtered = 'reports' | 'table';

/** The filter that this workspace's Reports view, or table of all reports, had last; empty when it had none. */
export function rememberedFilter(memory: Pick<FilterMemory, 'get'>, of: Filtered = 'reports'): ReportsFilter {
  return readFilter(memory.get(`${of}.filter`));
}

export async function rememberFilter(
  memory: FilterMemory,
  filter: ReportsFilter,
  of: Filtered = 'reports',
): Promise<void> {
  await memory.update(`${of}.filter`, isEmptyFilter(filter) ? undefined : filter);
}

/** Saved filters by name. Filters of another version that this one cannot read are left out. */
export function savedFilters(memory: FilterMemory): SavedFilter[] {
  const stored = memory.get(memoryKey);
  if (!Array.isArray(stored)) return [];
  const read = stored.flatMap((entry: unknown): SavedFilter[] => {
    if (!isObject(entry) || typeof entry.name !== 'string' || !('filter' in entry)) return [];
    return [{ name: entry.name, filter: readFilter(entry.filter) }];
  });
  return read.sort((a, b) => a.name.localeCompare(b.name));
}

/** Saves a filter; one that had its name goes. */
export async function saveFilter(memory: FilterMemory, saved: SavedFilter): Promise<void> {
  const others = savedFilters(memory).filter(({ name }) => name !== saved.name);
  await memory.update(memoryKey, [saved, ...others].slice(0, maxSaved));
}

export async function deleteFilter(memory: FilterMemory, name: string): Promise<void> {
  await memory.update(
    memoryKey,
    savedFilters(memory).filter((saved) => saved.name !== name),
  );
}

interface FilterItem extends vscode.QuickPickItem {
  /** Undefined for the item that saves the present filter. */
  readonly saved?: SavedFilter;
}

/** Saved Filters…: shows one again, saves the present one under a name, deletes. Undefined to change nothing. */
export async function chooseSavedFilter(memory: FilterMemory, now: ReportsFilter): Promise<ReportsFilter | undefined> {
  const chosen = await pick(memory, now);
  if (!chosen || chosen.saved) return chosen?.saved?.filter;
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Save Filter'),
    prompt: describeFilter(now),
    placeHolder: vscode.l10n.t('A name for this filter'),
    validateInput: (value) => (tidy(value) === '' ? vscode.l10n.t('Type a name.') : replaces(memory, tidy(value))),
  });
  if (name === undefined) return undefined;
  await saveFilter(memory, { name: tidy(name), filter: now });
  vscode.window.setStatusBarMessage(vscode.l10n.t('Filter saved: {0}', tidy(name)), 3_000);
  return undefined;
}

function replaces(memory: FilterMemory, name: string): vscode.InputBoxValidationMessage | undefined {
  if (!savedFilters(memory).some((saved) => saved.name === name)) return undefined;
  return {
    message: vscode.l10n.t('Replaces the filter with this name.'),
    severity: vscode.InputBoxValidationSeverity.Info,
  };
}

function itemsOf(memory: FilterMemory, now: ReportsFilter): FilterItem[] {
  const items = savedFilters(memory).map(
    (saved): FilterItem => ({
      label: tidy(saved.name),
      iconPath: new vscode.ThemeIcon('filter'),
      description: describeFilter(saved.filter),
      buttons: [{ iconPath: new vscode.ThemeIcon('trash'), tooltip: vscode.l10n.t('Delete') }],
      saved,
    }),
  );
  if (isEmptyFilter(now)) return items;
  const save: FilterItem = {
    label: vscode.l10n.t('Save Current Filter…'),
    iconPath: new vscode.ThemeIcon('save'),
    description: describeFilter(now),
  };
  return items.length === 0 ? [save] : [...items, heading(''), save];
}

function pick(memory: FilterMemory, now: ReportsFilter): Promise<FilterItem | undefined> {
  const box = vscode.window.createQuickPick<FilterItem>();
  box.title = vscode.l10n.t('Saved Filters');
  box.matchOnDescription = true;
  const fill = () => {
    box.items = itemsOf(memory, now);
    box.placeholder =
      box.items.length === 0
        ? vscode.l10n.t('No saved filters yet. Filter the reports first, then save the filter here')
        : vscode.l10n.t('Choose a filter');
  };
  fill();
  return showUntilAnswered<FilterItem | undefined>(box, (resolve, reject) => {
    box.onDidAccept(() => resolve(box.selectedItems[0]));
    box.onDidTriggerItemButton(({ item: { saved } }) => {
      if (saved) deleteFilter(memory, saved.name).then(fill, reject);
    });
    return undefined;
  });
}
