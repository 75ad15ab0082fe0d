import * as vscode from 'vscode';
import { tidy } from '../common/messages.ts';
import { describeFilter, isEmptyFilter, type ReportsFilter } from './filter.ts';
import { deleteFilter, type FilterMemory, savedFilters, saveFilter } from './storedFilter.ts';

interface Entry extends vscode.QuickPickItem {
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

function entriesOf(memory: FilterMemory, now: ReportsFilter): Entry[] {
  const saved = savedFilters(memory).map(
    ({ name, filter }): Entry => ({
      label: `$(filter) ${tidy(name)}`,
      description: describeFilter(filter),
      buttons: [deleteButton],
      filter,
      act: 'show',
    }),
  );
  if (isEmptyFilter(now)) return saved;
  const save: Entry = {
    label: vscode.l10n.t('$(save) Save Current Filter…'),
    description: describeFilter(now),
    act: 'save',
  };
  return saved.length === 0
    ? [save]
    : [...saved, { label: '', kind: vscode.QuickPickItemKind.Separator, act: 'save' }, save];
}

function pick(memory: FilterMemory, now: ReportsFilter): Promise<Entry | undefined> {
  const box = vscode.window.createQuickPick<Entry>();
  box.title = vscode.l10n.t('Saved Filters');
  const fill = () => {
    box.items = entriesOf(memory, now);
    box.placeholder =
      box.items.length === 0
        ? vscode.l10n.t('None saved yet: filter the reports first, then save the filter here')
        : vscode.l10n.t('Choose a filter');
  };
  box.matchOnDescription = true;
  fill();
  return new Promise<Entry | undefined>((resolve, reject) => {
    box.onDidAccept(() => {
      resolve(box.selectedItems[0]);
      box.hide();
    });
    box.onDidTriggerItemButton(({ item }) => {
      const name = savedFilters(memory).find(({ name }) => item.label === `$(filter) ${tidy(name)}`)?.name;
      if (name !== undefined) deleteFilter(memory, name).then(fill, reject);
    });
    box.onDidHide(() => resolve(undefined));
    box.show();
  }).finally(() => box.dispose());
}
