import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { l10n } from '../../base/l10n.ts';
import { counted } from '../../base/words.ts';
import { pagesMarkdown, pagesMeant, parquetCode, rowsCode, rowsPlain } from '../../evidence/pageText.ts';
import { onDisk } from '../../files/guard.ts';
import type { PageRow } from '../../text/pages.ts';
import { pdfPreviewType } from '../common/contributions.ts';
import type { InsertionPlace } from '../common/insertion.ts';
import { shownPage } from '../common/openPdfFile.ts';
import { pickForm } from '../common/pickWhileTyping.ts';
import { withCancellableProgress } from '../common/progress.ts';
import type { EvidencePorts } from './context.ts';
import { pdfAt, pdfOf } from './quote.ts';
import { offerMore, safely } from './take.ts';

const memoryKey = 'evidence.pageForm';

const forms = [
  { form: 'text', label: vscode.l10n.t('Text'), description: vscode.l10n.t('with its page') },
  { form: 'rows', label: vscode.l10n.t('Rows'), description: 'report_key, page, label, text, sha256' },
] as const;

/** More pages, or more characters, than anybody reads in a cell: they become a Parquet file. */
const limits = { pages: 20, characters: 100_000 };

/** Longest text, in characters, that a notebook still shows at once. */
const longestCell = 500_000;

function sizeOf(rows: readonly PageRow[]): number {
  return rows.reduce((sum, { text }) => sum + text.length, 0);
}

/**
 * Insert Page Text…: asks which pages of the front PDF, and inserts their text where the person works, as text or
 * as rows.
 * @throws Error with words for a person
 */
export async function insertPageText(ports: EvidencePorts): Promise<void> {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (!(input instanceof vscode.TabInputCustom) || input.viewType !== pdfPreviewType)
    throw new Error(vscode.l10n.t('Open a downloaded PDF in the preview first.'));
  const pdf = await pdfAt(ports, input.uri);
  const read = await withCancellableProgress(vscode.l10n.t('Reading the PDF'), (signal) =>
    ports.text(pdfOf(pdf), signal),
  );
  if ('reason' in read) throw new Error(read.reason);
  const numbers = await askPages(shownPage(input.uri), read.pages.length);
  const options = { title: vscode.l10n.t('Insert Page Text'), placeHolder: vscode.l10n.t('Choose a form') };
  const form = numbers && (await pickForm(forms, ports.memory.get(memoryKey), options))?.form;
  if (!numbers || !form) return;
  await ports.memory.update(memoryKey, form);
  const { report_key, sha256 } = pdf.row;
  const rows = numbers.flatMap((page): PageRow[] => {
    const { label, text } = read.pages[page - 1] ?? {};
    return text === undefined ? [] : [{ report_key, page, label: label ?? null, text, sha256 }];
  });
  if (form === 'text' && sizeOf(rows) > longestCell)
    throw new Error(vscode.l10n.t('This is too much text for one cell. Choose fewer pages, or Rows.'));
  const place = await ports.insertionPlace(form === 'rows' ? 'code' : 'markdown');
  if (!place) return;
  const text = form === 'rows' ? await rowsFor(place, rows) : textFor(place, rows, place.pathTo(pdf.uri));
  if (text === undefined) return;
  const inserted = await place.insert(text);
  const what = vscode.l10n.t('Inserted {0}', counted(rows.length, l10n.later('1 page'), l10n.later('{0} pages')));
  void offerMore(ports, what, inserted);
}

async function askPages(current: number, count: number): Promise<readonly number[] | undefined> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Insert Page Text'),
    prompt: vscode.l10n.t('PDF pages: one, such as 5; a range, such as 3-7; or * for all {0}', count),
    value: String(Math.min(current, count)),
    validateInput: (text) =>
      pagesMeant(text, count) ? undefined : vscode.l10n.t('Enter pages from 1 to {0}, such as 5 or 3-7.', count),
  });
  return typed === undefined ? undefined : pagesMeant(typed, count);
}

function textFor(place: InsertionPlace, rows: readonly PageRow[], path: string): string {
  const as = safely(place.as);
  if (as === 'markdown') return pagesMarkdown(rows, path);
  return as === 'plain' ? rows.map(({ text }) => text).join('\n\n') : rowsCode(rows, as);
}

/** Undefined when the person leaves the question for a file. */
async function rowsFor(place: InsertionPlace, rows: readonly PageRow[]): Promise<string | undefined> {
  const as = safely(place.as);
  const isMany = rows.length > limits.pages || sizeOf(rows) > limits.characters;
  if (as === 'plain' && !isMany) return rowsPlain(rows);
  const language = as === 'markdown' || as === 'plain' ? 'python' : as;
  const file = isMany ? await writtenFile(place, rows) : undefined;
  if (isMany && !file) return undefined;
  const code = file ? parquetCode(place.pathTo(file), language) : rowsCode(rows, language);
  return as === 'markdown' ? `\`\`\`python\n${code}\`\`\`` : code;
}

async function writtenFile({ document }: InsertionPlace, rows: readonly PageRow[]): Promise<vscode.Uri | undefined> {
  const home = document.scheme === 'file' ? vscode.Uri.joinPath(document, '..') : undefined;
  const folder = home ?? vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `${(rows[0]?.report_key ?? 'report').replace(/[^\w.-]/g, '_')}.pages.parquet`;
  const file = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save Pages as Parquet'),
    filters: { Parquet: ['parquet'] },
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (!file) return undefined;
  const { pagesParquet } = await import('../../export/parquet.ts');
  await onDisk(() => writeFile(file.fsPath, pagesParquet(rows)));
  return file;
}
