import * as vscode from 'vscode';
import type { App } from '../../app/app.ts';
import type { Services } from '../../app/session.ts';
import { type Formulas, startsFormula } from '../../base/cells.ts';
import { l10n } from '../../base/l10n.ts';
import type { Logger } from '../../base/logger.ts';
import { counted, countText } from '../../base/words.ts';
import {
  addColumns,
  certainKind,
  decodeText,
  encodeText,
  freeNames,
  headerOf,
  readTable,
  withInsertions,
} from '../../identifiers/table.ts';
import type { LibraryCompany } from '../../library/companyQuery.ts';
import {
  type Candidate,
  type ColumnOrigin,
  type LookupBatch,
  type ResolveEntry,
  statusOf,
} from '../../panels/lookups.ts';
import { fileName, labelText, notificationText, tellAndOffer } from '../common/messages.ts';
import { pickWhileTyping } from '../common/pickWhileTyping.ts';
import { candidateOf, companiesLike, resolveTexts } from './ask.ts';
import { documentText, openInItsEncoding, readCsvDocument } from './csv.ts';

interface CandidateItem extends vscode.QuickPickItem {
  readonly text: string;
}

/**
 * Asks the service for another identifier in place of one that did not lead to one company: a candidate's, or what the
 * person types or chooses from the library. The person chooses, never the extension. Undefined when the person leaves.
 */
export async function refine(
  services: Services,
  entry: ResolveEntry,
  candidate: Candidate | undefined,
  log: Logger,
): Promise<LookupBatch<ResolveEntry> | undefined> {
  const text = candidate?.text ?? (await askForText(services, entry, log));
  if (text === undefined) return undefined;
  const { entries, cost } = await resolveTexts(services, [text]);
  const before = entry.refined?.before ?? entry;
  return { entries: entries.map((answer) => ({ ...answer, query: entry.query, refined: { text, before } })), cost };
}

async function askForText(
  services: Services,
  { query, ...entry }: ResolveEntry,
  log: Logger,
): Promise<string | undefined> {
  const { library } = await services.library();
  const picked = await pickWhileTyping<CandidateItem>(
    library,
    {
      title: vscode.l10n.t('Refine “{0}”', labelText(query)),
      placeholder:
        statusOf({ query, ...entry }) === 'ambiguous'
          ? vscode.l10n.t('Which company do you mean? Choose it, or type MIC:TICKER, LEI, ISIN or FIGI')
          : vscode.l10n.t('Type MIC:TICKER, LEI, ISIN, FIGI or the exact name, or choose a company'),
      async itemsFor(calls, words) {
        const text = words.trim();
        if (text === '') return (await companiesLike(calls, query)).map(itemOf);
        const label = vscode.l10n.t('Ask for “{0}”', labelText(text));
        const typed = { label, iconPath: new vscode.ThemeIcon('search'), text };
        const found = (await calls.findCompanies(text, 50)).map(itemOf);
        // Enter takes the first: an identifier as it was typed, but of a few words the company that they find.
        return certainKind(text) === null ? [...found, typed] : [typed, ...found];
      },
    },
    log,
  );
  return picked?.text;
}

function itemOf(company: LibraryCompany): CandidateItem {
  const { name, text } = candidateOf(company);
  return {
    label: labelText(name),
    description: labelText(text),
    detail: labelText([company.country, company.sector].filter((part) => part !== null).join(' · ')),
    text,
  };
}

/**
 * Offers the PDFs of companies, all or the newest fiscal year of each, from what the library on this machine knows.
 * The download shows its plan and asks before it starts.
 * @throws Error when the library knows of no PDF of theirs
 */
export async function downloadCompanies(
  { services, downloads }: Pick<App, 'services' | 'downloads'>,
  companyKeys: readonly string[],
): Promise<void> {
  const { library } = await services.library();
  const all = await library.reportIds({ company_key: companyKeys, facts: { has_file: true } });
  if (all.length === 0)
    throw new Error(
      vscode.l10n.t('The library on this computer has no PDFs of these companies yet. Run Sync Now, then try again.'),
    );
  const newest = new Set<number>();
  for (const key of companyKeys) {
    const year = (await library.company(key))?.newest ?? null;
    const query = { company_key: [key], fcyear: [year], facts: { has_file: true } } as const;
    for (const id of await library.reportIds(query)) newest.add(id);
  }
  const item = (label: string, ids: readonly number[]) => ({
    label,
    description: counted(ids.length, l10n.later('1 PDF'), l10n.later('{0} PDFs')),
    ids,
  });
  const chosen = await vscode.window.showQuickPick(
    [
      item(vscode.l10n.t('Newest Fiscal Year of Each Company'), [...newest]),
      item(vscode.l10n.t('All Fiscal Years'), all),
    ].filter(({ ids }) => ids.length > 0),
    {
      title: vscode.l10n.t('Download PDFs'),
      placeHolder: vscode.l10n.t('Matched companies: {0}', countText(companyKeys.length)),
    },
  );
  if (chosen) await downloads.offer(chosen.ids);
}

/** The columns that can be added: the company, and what became of the identifier. */
const columns = ['company_key', 'company_name', 'match_status', 'resolved_as'] as const;
type WrittenColumn = (typeof columns)[number];

/** What a person is asked on the way; undefined from either when they leave. */
interface WriteBackQuestions {
  columns(suggested: readonly WrittenColumn[]): Promise<readonly WrittenColumn[] | undefined>;
  formulas(): Promise<Formulas | undefined>;
  /** Whether columns that the document has already are updated; else others are added. */
  update(names: readonly string[], document: vscode.Uri): Promise<boolean | undefined>;
  /** Where a copy goes; undefined when the person leaves. */
  copy(file: vscode.Uri): Promise<vscode.Uri | undefined>;
}

/** Reads the identifiers' document again. @throws Error if its columns changed or it is broken */
async function readAgain(column: ColumnOrigin) {
  const document = await openInItsEncoding(vscode.Uri.parse(column.uri));
  const table = readCsvDocument(document);
  const name = fileName(document.uri);
  if (table.brokenRecord !== null)
    throw new Error(
      vscode.l10n.t('The quotes in {0} don’t match in record {1}. Correct it first.', name, table.brokenRecord),
    );
  const header = headerOf(table)[column.index] || vscode.l10n.t('Column {0}', column.index + 1);
  if (column.index >= table.width || (table.hasHeader && header !== column.header))
    throw new Error(vscode.l10n.t('The columns of {0} have changed. Resolve the column again.', name));
  return { document, table };
}

/**
 * Adds the results as columns to the document that the identifiers came from, as one edit that can be undone.
 * Companies are matched by the identifier in the row now, so rows may have moved meanwhile. Only what the service
 * decided is written: ambiguous ones get no company. Undefined when the person leaves, else the counts of records and
 * companies, and the names of the new columns.
 * @throws Error when the document is no longer what was resolved, or its quotes don't match
 */
export async function writeBack(
  column: ColumnOrigin,
  entries: readonly ResolveEntry[],
  questions: WriteBackQuestions = {
    ...{ columns: askForColumns, formulas: askForFormulas, update: askToUpdate, copy: askForCopy },
  },
) {
  const known = new Map(entries.map((entry) => [entry.query, cellsOf(entry)]));
  const has = (name: WrittenColumn) => [...known.values()].some((cells) => cells[name] !== '');
  const chosen = await questions.columns([
    ...(has('company_key') ? (['company_key', 'company_name'] as const) : (['match_status'] as const)),
    ...(has('resolved_as') ? (['resolved_as'] as const) : []),
  ]);
  if (!chosen || chosen.length === 0) return undefined;
  const isAsked = [...known.values()].some((cells) => chosen.some((name) => startsFormula(cells[name])));
  const formulas = isAsked ? await questions.formulas() : 'neutralize';
  if (formulas === undefined) return undefined;
  const existing = headerOf((await readAgain(column)).table).filter((name) => chosen.some((own) => own === name));
  const isUpdate = existing.length > 0 && (await questions.update(existing, vscode.Uri.parse(column.uri)));
  if (isUpdate === undefined) return undefined;
  // Read after the questions: the document may have changed while they were open.
  const { document, table } = await readAgain(column);
  const knownOf = (cells: readonly string[]) => known.get(cells[column.index]?.trim() ?? '');
  const valuesOf = (cells: readonly string[]) => {
    const found = knownOf(cells);
    return found && chosen.map((name) => found[name]);
  };
  const changesIn = (text: string, of = table) =>
    addColumns(of, { names: chosen, valuesOf, formulas, updated: isUpdate ? text : undefined });
  const values = table.hasHeader ? table.records.slice(1) : table.records;
  const filled = values.filter(({ cells }) => knownOf(cells)?.company_key).length;
  const result = { columns: isUpdate ? chosen : freeNames(chosen, table), isUpdate, filled, records: values.length };
  const whole = await textThatSavingChanges(document);
  if (whole) {
    const copy = await questions.copy(document.uri);
    if (!copy) return undefined;
    const text = withInsertions(whole.text, changesIn(whole.text, readTable(whole.text, table.delimiter)));
    await vscode.workspace.fs.writeFile(copy, encodeText(text, whole.encoding));
    return { document: await openInItsEncoding(copy), isCopy: true, ...result };
  }
  const edit = new vscode.WorkspaceEdit();
  edit.set(
    document.uri,
    changesIn(documentText(document)).map(({ offset, replaced, text }) => {
      const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + replaced));
      return vscode.TextEdit.replace(range, text);
    }),
  );
  const { version } = document;
  if (!(await vscode.workspace.applyEdit(edit)) || document.version === version)
    throw new Error(vscode.l10n.t('{0} could not be changed. Check that it is not read-only.', fileName(document.uri)));
  return { document, isCopy: false, ...result };
}

/** A file's own text where the editor would change its line breaks by saving it; undefined where it keeps them. */
async function textThatSavingChanges(document: vscode.TextDocument) {
  if (document.isDirty || document.uri.scheme === 'untitled') return undefined;
  const file = decodeText(await vscode.workspace.fs.readFile(document.uri));
  const breaksIn = (text: string) => (text.match(/\r\n|\r|\n/g) ?? []).join('|');
  return breaksIn(file.text) === breaksIn(document.getText()) ? undefined : file;
}

/** Asks for a place beside the file; undefined when the person leaves. */
async function askForCopy(file: vscode.Uri): Promise<vscode.Uri | undefined> {
  const save = vscode.l10n.t('Save a Copy…');
  const text = vscode.l10n.t(
    'The line breaks in {0} differ from one another, and the editor would change them. Save a copy that keeps them.',
    fileName(file),
  );
  if ((await vscode.window.showWarningMessage(text, { modal: true }, save)) !== save) return undefined;
  const defaultUri = file.with({ path: file.path.replace(/(\.[^./]+)?$/, '-resolved$1') });
  return vscode.window.showSaveDialog({ defaultUri, title: save });
}

/** Writes back, shows the document, and tells what was done and whether it is in the file already. */
export async function writeBackAndTell(column: ColumnOrigin, entries: readonly ResolveEntry[]): Promise<void> {
  const written = await writeBack(column, entries);
  if (!written) return;
  const { document, filled, records, isCopy } = written;
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
  const names = written.columns.join(', ');
  const text = vscode.l10n.t(
    '{0}. Rows with a company: {1} of {2}. {3}',
    written.isUpdate
      ? vscode.l10n.t('Updated {0} in {1}', names, name)
      : vscode.l10n.t('Added {0} to {1}', names, name),
    countText(filled),
    countText(records),
    isSaved ? vscode.l10n.t('The file is saved.') : vscode.l10n.t('The file is not saved yet.'),
  );
  void tellAndOffer(text, {
    ...(!isSaved && { [vscode.l10n.t('Save')]: save }),
    ...(!isCopy && { [vscode.l10n.t('Undo')]: undo }),
  });
}

/** Whether the document is saved. Where auto save is on it is saved at once, so that the message stays true. */
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
    // A person chose what the identifier means: it did not match by itself.
    match_status: status === 'entitled' ? (entry.refined ? 'chosen' : 'matched') : status,
    resolved_as: oneCell(entry.refined?.text ?? ''),
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
    match_status: 'matched, chosen, not-licensed, ambiguous, unmatched, malformed',
    resolved_as: vscode.l10n.t('The identifier that you chose in place of the one in the row'),
  };
  const items = columns.map((label) => ({ label, detail: details[label], picked: suggested.includes(label) }));
  const title = vscode.l10n.t('Write Back');
  const placeHolder = vscode.l10n.t('Choose the columns to add');
  const chosen = await vscode.window.showQuickPick(items, { title, placeHolder, canPickMany: true });
  return chosen?.map(({ label }) => label);
}

async function askToUpdate(names: readonly string[], document: vscode.Uri): Promise<boolean | undefined> {
  const items = [
    { label: vscode.l10n.t('Update Columns'), description: names.join(', '), isUpdate: true },
    { label: vscode.l10n.t('Add Columns'), description: vscode.l10n.t('The present ones stay'), isUpdate: false },
  ];
  const placeHolder = vscode.l10n.t('{0} has these columns already', fileName(document));
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Write Back'), placeHolder }))?.isUpdate;
}

async function askForFormulas(): Promise<Formulas | undefined> {
  const items: (vscode.QuickPickItem & { readonly formulas: Formulas })[] = [
    {
      label: vscode.l10n.t('Add Apostrophe'),
      detail: vscode.l10n.t(
        'A leading apostrophe keeps spreadsheets from running them, but other programs will see it.',
      ),
      formulas: 'neutralize',
    },
    {
      label: vscode.l10n.t('Keep as Is'),
      detail: vscode.l10n.t('Unchanged, in quotes. Spreadsheets may run them as formulas.'),
      formulas: 'quote',
    },
  ];
  const placeHolder = vscode.l10n.t('Some names look like formulas to a spreadsheet. How should they be written?');
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Write Back'), placeHolder }))?.formulas;
}
