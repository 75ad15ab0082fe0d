import * as vscode from 'vscode';
import { startsFormula } from '../../base/cells.ts';
import { countText } from '../../base/words.ts';
import type { Formulas } from '../../protocol/format/table.ts';
import { type ColumnOrigin, type ResolveEntry, statusOf } from '../../protocol/resultsView.ts';
import { fileName, notificationText, tellAndOffer } from '../common/messages.ts';
import { addColumns, freeNames, readCsvDocument } from './csv.ts';

/** The columns that can be added: the company, and what became of the identifier. */
const columns = ['company_key', 'company_name', 'match_status'] as const;
type WrittenColumn = (typeof columns)[number];

/** What a person is asked on the way; undefined from either when they leave. */
interface WriteBackQuestions {
  columns(suggested: readonly WrittenColumn[]): Promise<readonly WrittenColumn[] | undefined>;
  formulas(): Promise<Formulas | undefined>;
}

/**
 * Adds what was found as new columns to the document that the identifiers came from, as one edit that can be undone.
 * Companies are matched by the identifier that stands in the row now, so rows may have moved meanwhile. Only what the
 * service decided is written: ambiguous ones get no company. Undefined when the person leaves, else how many records were
 * looked at, how many have a company, and how the new columns are named.
 * @throws Error when the document is no longer what was resolved, or its quotes don't match
 */
export async function writeBack(
  column: ColumnOrigin,
  entries: readonly ResolveEntry[],
  questions: WriteBackQuestions = { columns: askForColumns, formulas: askForFormulas },
) {
  const known = new Map(entries.map((entry) => [entry.query, cellsOf(entry)]));
  const hasCompany = [...known.values()].some(({ company_key }) => company_key !== '');
  const chosen = await questions.columns(hasCompany ? ['company_key', 'company_name'] : ['match_status']);
  if (!chosen || chosen.length === 0) return undefined;
  const isAsked = [...known.values()].some((cells) => chosen.some((name) => startsFormula(cells[name])));
  const formulas = isAsked ? await questions.formulas() : 'neutralise';
  if (formulas === undefined) return undefined;
  // Read after the questions: the document may have changed while they were open.
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(column.uri));
  const table = readCsvDocument(document);
  if (table.brokenRecord !== null)
    throw new Error(
      vscode.l10n.t(
        'The quotes in {0} don’t match in record {1}. Correct it first.',
        fileName(document.uri),
        table.brokenRecord,
      ),
    );
  const header = table.hasHeader
    ? table.records[0]?.cells[column.index]?.trim() || vscode.l10n.t('Column {0}', column.index + 1)
    : null;
  if (column.index >= table.width || (header !== null && header !== column.header))
    throw new Error(
      vscode.l10n.t('The columns of {0} have changed. Resolve the column again.', fileName(document.uri)),
    );
  const knownOf = (cells: readonly string[]) => known.get(cells[column.index]?.trim() ?? '');
  const valuesOf = (cells: readonly string[]) => {
    const found = knownOf(cells);
    return found && chosen.map((name) => found[name]);
  };
  const edit = new vscode.WorkspaceEdit();
  const insertions = addColumns(table, { names: chosen, valuesOf, formulas });
  edit.set(
    document.uri,
    insertions.map(({ offset, text }) => vscode.TextEdit.insert(document.positionAt(offset), text)),
  );
  const { version } = document;
  if (!(await vscode.workspace.applyEdit(edit)) || document.version === version)
    throw new Error(vscode.l10n.t('{0} could not be changed. Check that it is not read-only.', fileName(document.uri)));
  const values = table.hasHeader ? table.records.slice(1) : table.records;
  const filled = values.filter(({ cells }) => knownOf(cells)?.company_key).length;
  return { document, columns: freeNames(chosen, table), filled, records: values.length };
}

/** Writes back, shows the document, and tells what was done and whether it is in the file already. */
export async function writeBackAndTell(column: ColumnOrigin, entries: readonly ResolveEntry[]): Promise<void> {
  const written = await writeBack(column, entries);
  if (!written) return;
  const { document, filled, records } = written;
  const editor = await vscode.window.showTextDocument(document);
  const isSaved = await savedAsSet(document);
  const name = fileName(document.uri);
  const save = async () => {
    if (await document.save()) return;
    const text = vscode.l10n.t('{0} could not be saved. The new columns are in its editor.', notificationText(name));
    void vscode.window.showErrorMessage(text);
  };
  const undo = async () => {
    await vscode.window.showTextDocument(document, editor.viewColumn);
    await vscode.commands.executeCommand('undo');
  };
  const text = vscode.l10n.t(
    'Added {0} to {1}. Rows with a company: {2} of {3}. {4}',
    written.columns.join(', '),
    name,
    countText(filled),
    countText(records),
    isSaved ? vscode.l10n.t('The file is saved.') : vscode.l10n.t('The file is not saved yet.'),
  );
  void tellAndOffer(text, { ...(!isSaved && { [vscode.l10n.t('Save')]: save }), [vscode.l10n.t('Undo')]: undo });
}

/** Whether the document is saved. Where the editor saves by itself it is saved at once, so that what is told stays true. */
export async function savedAsSet(document: vscode.TextDocument): Promise<boolean> {
  const autoSave = vscode.workspace.getConfiguration('files', document).get<string>('autoSave', 'off');
  if (autoSave !== 'off' && !document.isUntitled) await document.save();
  return !document.isDirty && !document.isUntitled;
}

function cellsOf(entry: ResolveEntry): Readonly<Record<WrittenColumn, string>> {
  const status = statusOf(entry);
  const company = status === 'entitled' ? entry.result?.company : null;
  return {
    company_key: oneCell(company?.company_key ?? ''),
    company_name: oneCell(company?.company_name ?? ''),
    match_status: status === 'entitled' ? 'matched' : status,
  };
}

/** A name is one line; a line break or a control character in it would only harm the table. */
function oneCell(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}

async function askForColumns(suggested: readonly WrittenColumn[]): Promise<readonly WrittenColumn[] | undefined> {
  const details: Readonly<Record<WrittenColumn, string>> = {
    company_key: vscode.l10n.t('The key of the matched company'),
    company_name: vscode.l10n.t('Its name'),
    match_status: 'matched, not-licensed, ambiguous, unmatched, malformed',
  };
  const items = columns.map((label) => ({ label, detail: details[label], picked: suggested.includes(label) }));
  const title = vscode.l10n.t('Write Back');
  const placeHolder = vscode.l10n.t('Choose the columns to add');
  const chosen = await vscode.window.showQuickPick(items, { title, placeHolder, canPickMany: true });
  return chosen?.map(({ label }) => label);
}

async function askForFormulas(): Promise<Formulas | undefined> {
  const items: (vscode.QuickPickItem & { readonly formulas: Formulas })[] = [
    {
      label: vscode.l10n.t('Neutralise'),
      detail: vscode.l10n.t(
        'An apostrophe in front keeps spreadsheets from running them; programs will see the apostrophe.',
      ),
      formulas: 'neutralise',
    },
    {
      label: vscode.l10n.t('Only Quote'),
      detail: vscode.l10n.t(
        'Exactly as the service writes them, in quotes. A spreadsheet that opens the file may run them.',
      ),
      formulas: 'quote',
    },
  ];
  const placeHolder = vscode.l10n.t('Some names look like formulas to a spreadsheet. How should they be written?');
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Write Back'), placeHolder }))?.formulas;
}
