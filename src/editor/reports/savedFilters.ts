import * as vscode from 'vscode';
import { isRecord } from '../common/arguments.ts';
import { tidy } from '../common/messages.ts';
import { answerOf } from '../common/pickWhileTyping.ts';
import { describeFilter, factNames, isEmptyFilter, type ReportsFilter } from './filter.ts';

/** A filter under a name. */
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

const lastKey = 'reports.filter';

/** The filter that the Reports view of this workspace had last; empty when it had none. */
export function rememberedFilter(memory: FilterMemory): ReportsFilter {
  return readFilter(memory.get(lastKey));
}

export async function rememberFilter(memory: FilterMemory, filter: ReportsFilter): Promise<void> {
  await memory.update(lastKey, isEmptyFilter(filter) ? undefined : filter);
}

/** Saved filters by name. What an older or newer version wrote and this one cannot read is left out. */
export function savedFilters(memory: FilterMemory): SavedFilter[] {
  const stored = memory.get(memoryKey);
  if (!Array.isArray(stored)) return [];
  const read = stored.flatMap((entry: unknown): SavedFilter[] => {
    if (!isRecord(entry) || typeof entry.name !== 'string' || !('filter' in entry)) return [];
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

/** Reads a filter as it was stored; members that are none are dropped. */
export function readFilter(stored: unknown): ReportsFilter {
  if (!isRecord(stored)) return {};
  const given = stored as Record<string, unknown>;
  const filter: Record<string, unknown> = {};
  if (typeof given.text === 'string' && given.text !== '') filter.text = given.text;
  const isText = (value: unknown) => typeof value === 'string' || value === null;
  for (const name of ['type', 'class', 'language', 'country', 'sector', 'industry', 'assurance_level']) {
    copyList(filter, given, name, isText);
  }
  for (const name of ['company_key', 'isin']) copyList(filter, given, name, (value) => typeof value === 'string');
  copyList(filter, given, 'fcyear', (value) => value === null || Number.isSafeInteger(value));
  for (const name of ['splitYears', 'downloaded']) if (typeof given[name] === 'boolean') filter[name] = given[name];
  if (isRecord(given.facts)) {
    const facts = Object.entries(given.facts).filter(
      ([field, value]) => Object.hasOwn(factNames, field) && (typeof value === 'boolean' || value === null),
    );
    if (facts.length > 0) filter.facts = Object.fromEntries(facts);
  }
  return filter as ReportsFilter;
}

function copyList(
  filter: Record<string, unknown>,
  given: Record<string, unknown>,
  name: string,
  fits: (value: unknown) => boolean,
): void {
  const list = given[name];
  if (Array.isArray(list) && list.length > 0 && list.every(fits)) filter[name] = list;
}

interface FilterItem extends vscode.QuickPickItem {
  readonly filter?: ReportsFilter;
  readonly act: 'show' | 'save';
}

const deleteButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('trash'),
  tooltip: vscode.l10n.t('Delete'),
};

/** Saved Filters…: shows one again, saves the present one under a name, deletes. Undefined when nothing is to be shown. */
export async function chooseSavedFilter(memory: FilterMemory, now: ReportsFilter): Promise<ReportsFilter | undefined> {
  const chosen = await pick(memory, now);
  if (!chosen) return undefined;
  if (chosen.act === 'show') return chosen.filter;
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
    message: vscode.l10n.t('Replaces the filter of that name.'),
    severity: vscode.InputBoxValidationSeverity.Info,
  };
}

function itemsOf(memory: FilterMemory, now: ReportsFilter): FilterItem[] {
  const saved = savedFilters(memory).map(
    ({ name, filter }): FilterItem => ({
      label: `$(filter) ${tidy(name)}`,
      description: describeFilter(filter),
      buttons: [deleteButton],
      filter,
      act: 'show',
    }),
  );
  if (isEmptyFilter(now)) return saved;
  const save: FilterItem = {
    label: vscode.l10n.t('$(save) Save Current Filter…'),
    description: describeFilter(now),
    act: 'save',
  };
  return saved.length === 0
    ? [save]
    : [...saved, { label: '', kind: vscode.QuickPickItemKind.Separator, act: 'save' }, save];
}

function pick(memory: FilterMemory, now: ReportsFilter): Promise<FilterItem | undefined> {
  const box = vscode.window.createQuickPick<FilterItem>();
  box.title = vscode.l10n.t('Saved Filters');
  const fill = () => {
    box.items = itemsOf(memory, now);
    box.placeholder =
      box.items.length === 0
        ? vscode.l10n.t('None saved yet: filter the reports first, then save the filter here')
        : vscode.l10n.t('Choose a filter');
  };
  box.matchOnDescription = true;
  fill();
  return answerOf<FilterItem | undefined>(box, (resolve, reject) => {
    box.onDidAccept(() => resolve(box.selectedItems[0]));
    box.onDidTriggerItemButton(({ item }) => {
      const name = savedFilters(memory).find(({ name }) => item.label === `$(filter) ${tidy(name)}`)?.name;
      if (name !== undefined) deleteFilter(memory, name).then(fill, reject);
    });
    return undefined;
  });
}
