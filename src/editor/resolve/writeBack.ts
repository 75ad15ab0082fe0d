import * as vscode from 'vscode';
import { type Formulas, startsFormula } from '../../protocol/format/table.ts';
import { type ColumnOrigin, type ResolveEntry, statusOf } from '../../protocol/resultsView.ts';
import { notificationText } from '../common/messages.ts';
import { addColumns, readCsvDocument } from './csv.ts';
import { nameOf } from './input.ts';

/** The columns that are added. */
const names = ['company_key', 'company_name'] as const;

/** What was written back. */
interface WrittenBack {
  readonly document: vscode.TextDocument;
  /** Records that got a company. */
  readonly filled: number;
  /** Records that were looked at. */
  readonly records: number;
}

/**
 * Adds company_key and company_name as new columns to the document that the identifiers came from, as one edit that can
 * be undone; the file is not saved. Companies are matched by the identifier that stands in the row now, so rows may
 * have moved meanwhile. Only what the service decided is written: ambiguous ones stay empty. Undefined when the person
 * leaves.
 * @throws Error when the document is no longer what was resolved, or its quotes don't match
 */
export async function writeBack(
  column: ColumnOrigin,
  entries: readonly ResolveEntry[],
  askHow: () => Promise<Formulas | undefined> = askForFormulas,
): Promise<WrittenBack | undefined> {
  const companies = companiesBy(entries);
  if (companies.size === 0) {
    throw new Error(
      vscode.l10n.t('None of these led to a company in your licence, so there is nothing to write back.'),
    );
  }
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(column.uri));
  const table = readCsvDocument(document);
  if (table.brokenRecord !== null) {
    throw new Error(
      vscode.l10n.t(
        'The quotes of {0} don’t match in record {1}. Correct it first.',
        nameOf(document),
        table.brokenRecord,
      ),
    );
  }
  const header = table.hasHeader
    ? table.records[0]?.cells[column.index]?.trim() || vscode.l10n.t('Column {0}', column.index + 1)
    : null;
  if (column.index >= table.width || (header !== null && header !== column.header)) {
    throw new Error(vscode.l10n.t('The columns of {0} have changed. Resolve the column again.', nameOf(document)));
  }
  const isAsked = [...companies.values()].some((values) => values.some(startsFormula));
  const formulas = isAsked ? await askHow() : 'neutralise';
  if (formulas === undefined) return undefined;
  const valuesOf = (cells: readonly string[]) => companies.get(cells[column.index]?.trim() ?? '');
  const edit = new vscode.WorkspaceEdit();
  const insertions = addColumns(table, { names, valuesOf, formulas });
  edit.set(
    document.uri,
    insertions.map(({ offset, text }) => vscode.TextEdit.insert(document.positionAt(offset), text)),
  );
  const { version } = document;
  if (!(await vscode.workspace.applyEdit(edit)) || document.version === version) {
    throw new Error(vscode.l10n.t('{0} could not be changed. Check that it is not read-only.', nameOf(document)));
  }
  const values = table.hasHeader ? table.records.slice(1) : table.records;
  const filled = values.filter(({ cells }) => valuesOf(cells) !== undefined).length;
  return { document, filled, records: values.length };
}

/** Writes back, shows the document, and tells what was done. */
export async function writeBackAndTell(column: ColumnOrigin, entries: readonly ResolveEntry[]): Promise<void> {
  const written = await writeBack(column, entries);
  if (!written) return;
  const { document, filled, records } = written;
  const editor = await vscode.window.showTextDocument(document);
  const count = vscode.l10n.t('{0} of {1} rows', filled.toLocaleString(), records.toLocaleString());
  const [save, undo] = [vscode.l10n.t('Save'), vscode.l10n.t('Undo')];
  const text = vscode.l10n.t(
    'Added {0} to {1}: {2} have a company. Nothing is saved yet.',
    names.join(vscode.l10n.t(' and ')),
    nameOf(document),
    count,
  );
  void vscode.window.showInformationMessage(notificationText(text), save, undo).then(async (choice) => {
    if (choice === save) await document.save();
    if (choice !== undo) return;
    await vscode.window.showTextDocument(document, editor.viewColumn);
    await vscode.commands.executeCommand('undo');
  });
}

function companiesBy(entries: readonly ResolveEntry[]): Map<string, readonly string[]> {
  const companies = new Map<string, readonly string[]>();
  for (const entry of entries) {
    const company = statusOf(entry) === 'entitled' ? entry.result?.company : null;
    if (company) companies.set(entry.query, [company.company_key, company.company_name ?? ''].map(oneCell));
  }
  return companies;
}

/** A name is one line; a line break or a control character in it would only harm the table. */
function oneCell(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
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
  const placeHolder = vscode.l10n.t('Some names look like formulas to a spreadsheet. How are they to be written?');
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Write Back'), placeHolder }))?.formulas;
}
