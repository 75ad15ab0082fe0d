import * as vscode from 'vscode';
import { type EvidenceRecord, longestQuote } from '../../evidence/record.ts';
import {
  cellForm,
  type TableForm,
  type TakenTable,
  tableCode,
  tableForms,
  tableMarkdown,
  tablePlain,
  tableSeparated,
} from '../../evidence/tableForms.ts';
import type { CopiedTable } from '../../protocol/pdfPreview.ts';
import type { InsertionPlace } from '../common/insertion.ts';
import { pickForm } from '../common/pickWhileTyping.ts';
import type { EvidencePorts } from './ports.ts';
import { copyWithRecord, documentName, insertWithRecord, mayRun, passageOf, pdfAt, recordOf } from './quote.ts';

const memoryKey = 'evidence.tableForm';

const forms: readonly (vscode.QuickPickItem & { readonly form: TableForm })[] = [
  { form: 'markdown', label: vscode.l10n.t('Table with Source'), description: 'Markdown' },
  {
    form: 'code',
    label: vscode.l10n.t('Code'),
    description: vscode.l10n.t('pandas, R or Julia, whichever the document uses'),
  },
  { form: 'polars', label: vscode.l10n.t('Code with polars'), description: 'Python' },
  { form: 'csv', label: 'CSV', description: vscode.l10n.t('to the clipboard') },
  { form: 'tsv', label: 'TSV', description: vscode.l10n.t('to the clipboard, for spreadsheets') },
  { form: 'clipboard', label: vscode.l10n.t('Clipboard'), description: 'Markdown' },
];

/**
 * Copies a table that a person confirmed in the preview: into what they work in, or to the clipboard, and as a record
 * beside the lock file.
 * @param mayPick a form is picked first; else the one used last
 * @returns what was done, in words; null when the person left
 * @throws Error with words for a person
 */
export async function copyTable(
  ports: EvidencePorts,
  file: vscode.Uri,
  table: CopiedTable,
  mayPick: boolean,
): Promise<string | null> {
  const regions = regionsOf(table);
  if (regions.every(({ cells }) => cells.flat().every((cell) => cell === '')))
    throw new Error(vscode.l10n.t('This table has no text. Choose another area.'));
  const pdf = await pdfAt(ports, file);
  const last = tableForms.find((form) => form === ports.memory.get(memoryKey)) ?? 'markdown';
  const options = { title: vscode.l10n.t('Copy Table As'), placeHolder: vscode.l10n.t('Choose a form') };
  const form = mayPick ? (await pickForm(forms, last, options))?.form : last;
  if (form === undefined) return null;
  const isCopied = form === 'csv' || form === 'tsv' || form === 'clipboard';
  const place = isCopied ? undefined : await ports.insertionPlace(form === 'markdown' ? 'markdown' : 'code');
  if (!isCopied && !place) return null;
  const record = await recordOf(pdf, { kind: 'table', selector: null, regions });
  await ports.memory.update(memoryKey, form);
  const source = await passageOf(ports, pdf, record, place);
  const taken = { source, regions, hasHeader: table.hasHeader, numbers: table.numbers };
  if (!place) {
    await copyWithRecord(pdf, record, copiedText(taken, form));
    const copied = vscode.l10n.t('Table copied');
    vscode.window.setStatusBarMessage(copied, 3_000);
    return copied;
  }
  const done = vscode.l10n.t('Table inserted into {0}', documentName(place));
  return insertWithRecord(ports, { pdf, record }, { place, text: insertedText(taken, form, place.as) }, done);
}

function copiedText(table: TakenTable, form: TableForm): string {
  if (form === 'clipboard') return tableMarkdown(table);
  return tableSeparated(table, form === 'tsv' ? '\t' : ',');
}

export function insertedText(table: TakenTable, form: TableForm, as: InsertionPlace['as']): string {
  const library = form === 'polars' ? 'polars' : 'pandas';
  if (as === 'markup') throw new Error(mayRun());
  if (as === 'plain') return tablePlain(table);
  if (as !== 'markdown') return tableCode(table, as, library);
  return form === 'markdown' ? tableMarkdown(table) : `\`\`\`python\n${tableCode(table, 'python', library)}\`\`\``;
}

/** The parts as records keep them, their cells in the one form of all text of PDFs. */
function regionsOf({ parts }: CopiedTable) {
  return parts.map(({ page, label, rectangle, columns, rows, cells }) => ({
    page,
    label,
    rectangles: [rectangle],
    columns,
    rows,
    cells: cells.map((row) => row.map((cell) => cellForm(cell).slice(0, longestQuote))),
  })) satisfies EvidenceRecord['regions'];
}
