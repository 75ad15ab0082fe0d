import * as vscode from 'vscode';
import { numberStyles } from '../../base/cells.ts';
import { l10n } from '../../base/l10n.ts';
import { counted } from '../../base/words.ts';
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
  const { hasHeader, numbers } = table;
  const told = { has_header: hasHeader, numbers };
  const record = await recordOf(pdf, { kind: 'table', selector: null, regions, table: told });
  await ports.memory.update(memoryKey, form);
  const source = await passageOf(ports, pdf, record, place);
  const taken = { source, regions, hasHeader, numbers };
  const size = `${regions.flatMap(({ cells }) => cells).length} × ${numbers.length}`;
  if (!place) {
    await copyWithRecord(pdf, record, copiedText(taken, form));
    const copied = withChecks(vscode.l10n.t('Table copied: {0} cells', size), table.toCheck);
    if (table.toCheck > 0) void vscode.window.showInformationMessage(copied);
    else vscode.window.setStatusBarMessage(copied, 3_000);
    return copied;
  }
  const inserted = vscode.l10n.t('Table inserted into {0}: {1} cells', documentName(place), size);
  const done = withChecks(inserted, table.toCheck);
  return insertWithRecord(ports, { pdf, record }, { place, text: insertedText(taken, form, place.as) }, done);
}

function withChecks(done: string, count: number): string {
  if (count === 0) return done;
  return `${done} · ${counted(count, l10n.later('1 cell to check'), l10n.later('{0} cells to check'))}`;
}

/** A table that was taken before, from what its record says a person told. */
export function takenAgain(source: TakenTable['source'], { regions, table }: EvidenceRecord): TakenTable {
  const width = regions[0]?.cells?.[0]?.length ?? 0;
  const numbers = Array.from({ length: width }, (_, column) => {
    return numberStyles.find((style) => style === table?.numbers[column]) ?? null;
  });
  return { source, regions, hasHeader: table?.has_header ?? true, numbers };
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
