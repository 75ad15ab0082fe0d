import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import Papa from 'papaparse';
import type { IdentifierQuery, ResolveResult } from '../api/schemas/company.ts';
import { guardFormula } from '../base/cells.ts';
import { onDisk } from '../downloads/disk.ts';
import { type IdentifierKind, recognise } from '../identifiers/recognise.ts';
import { service } from './connect.ts';
import type { CommandContext, CommandOutcome } from './context.ts';
import { exit, UsageProblem } from './exit.ts';
import { countWords } from './folder.ts';
import { requireFolderOf, shown } from './output.ts';

const maxBytes = 50_000_000;
/** Kinds that a text is by its form alone; anything may be a name. */
const codes: ReadonlySet<IdentifierKind> = new Set(['isin', 'lei', 'figi', 'ticker']);
const isCode = (cell: string) => {
  const { kind, problem } = recognise(cell);
  return codes.has(kind) && problem === undefined;
};

/** Adds the companies that a column names to a table. Ambiguous ones, and those not in the licence, get none. */
export async function resolve(context: CommandContext): Promise<CommandOutcome> {
  const { out, names, signal, values } = context;
  const [file = ''] = names;
  const { output } = values;
  if (output !== undefined) await requireFolderOf(output);
  const { header, rows, delimiter } = await readTable(file);
  const index = columnOf(header, rows, values.column);
  const queries = rows.map((cells) => queryOf(cells[index] ?? ''));
  const asked = queries.filter((query) => query !== undefined);
  const { client } = await service(context).get();
  const results = asked.length > 0 ? await client.resolve(asked, { signal }) : [];
  const answers = results.values();
  const found = queries.map((query) => (query ? answers.next().value : undefined));
  const added = found.map(columnsOf);
  const table = [
    [...header, 'company_key', 'company_name', 'match_status'],
    ...rows.map((cells, at) => [...cells, ...(added[at] ?? [])]),
  ];
  const text = `${Papa.unparse(table, { delimiter, newline: '\r\n' })}\r\n`;
  if (output !== undefined) await replaceFile(output, text);
  else if (!out.isJson) process.stdout.write(text);
  const statuses = added.map(([, , status = '']) => status);
  if (output !== undefined) out.line(`${header[index]}: ${countWords(statuses)}`);
  return {
    code: statuses.every((status) => status === 'matched') ? exit.same : exit.differs,
    document: {
      column: header[index],
      results: rows.map((cells, at) => {
        const [company_key = '', company_name = '', status] = added[at] ?? [];
        return {
          query: cells[index] ?? '',
          status,
          company_key: company_key || null,
          company_name: company_name || null,
        };
      }),
    },
  };
}

/** A table with as many cells in each row, and as many names, as its longest row has cells. */
async function readTable(file: string): Promise<{ header: string[]; rows: string[][]; delimiter: string }> {
  const { size } = await onDisk(() => stat(file)).catch(() => {
    throw new UsageProblem(`${shown(basename(file))} can't be read.`);
  });
  if (size > maxBytes) throw new UsageProblem('The file is larger than 50 MB. Split it.');
  const text = (await onDisk(() => readFile(file, 'utf8'))).replace(/^\ufeff/, '');
  const { data, meta } = Papa.parse<string[]>(text, { skipEmptyLines: true });
  const width = data.reduce((max, { length }) => Math.max(max, length), 0);
  const [header = [], ...rows] = data.map((cells) => Array.from({ length: width }, (_, at) => cells[at] ?? ''));
  if (rows.length === 0) throw new UsageProblem('The file needs a line of column names, and rows.');
  return { header, rows, delimiter: meta.delimiter };
}

/** The column that is named, else the one with most identifiers. */
function columnOf(header: readonly string[], rows: readonly (readonly string[])[], named?: string): number {
  if (named !== undefined) {
    const index = header.findIndex((name) => name.trim().toLowerCase() === named.trim().toLowerCase());
    if (index === -1)
      throw new UsageProblem(
        `There is no such column. There are: ${shown(header.filter((name) => name !== '').join(', '))}.`,
      );
    return index;
  }
  const counts = header.map((_, at) => rows.filter((cells) => isCode(cells[at] ?? '')).length);
  const max = Math.max(...counts);
  if (max === 0) throw new UsageProblem('No column holds identifiers. Give --column NAME.');
  return counts.indexOf(max);
}

function queryOf(cell: string): IdentifierQuery | undefined {
  const { kind, value } = recognise(cell);
  if (value === '') return undefined;
  // A report key names no company; as a name it comes back unmatched rather than wrongly matched.
  return { list: kind === 'report-key' ? 'names' : `${kind}s`, value };
}

function columnsOf(result: ResolveResult | undefined): readonly string[] {
  if (!result) return ['', '', 'empty'];
  const { company, matched, ambiguous, entitled } = result;
  const status = ambiguous ? 'ambiguous' : !matched ? 'unmatched' : entitled === false ? 'not-licensed' : 'matched';
  if (status !== 'matched' || !company) return ['', '', status];
  return [guardFormula(company.company_key), guardFormula(shown(company.company_name ?? '')), status];
}

/** A reader sees the old text or the new one. */
async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}.part`;
  await onDisk(async () => {
    try {
      await writeFile(draft, text, { flag: 'wx' });
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  });
}
