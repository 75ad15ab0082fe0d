import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { IdentifierQuery, ResolveResult } from '../api/schemas/company.ts';
import { onDisk } from '../files/guard.ts';
import { maySend, recognize } from '../identifiers/recognize.ts';
import {
  addColumns,
  decodeText,
  encodeText,
  freeNames,
  guessColumns,
  type IdentifierTable,
  readTable,
  withInsertions,
} from '../identifiers/table.ts';
import { service } from './connect.ts';
import type { CommandContext, CommandOutcome } from './context.ts';
import { exit, UsageProblem } from './exit.ts';
import { countWords } from './folder.ts';
import { requireFolderOf, shown } from './output.ts';

const maxBytes = 50_000_000;
const addedNames = ['company_key', 'company_name', 'match_status'];

/** Adds the companies that a column names to a table. Nothing else in the file changes, not even its encoding. */
export async function resolve(context: CommandContext): Promise<CommandOutcome> {
  const { out, names, signal, values } = context;
  const [file = ''] = names;
  const { output } = values;
  if (output !== undefined) await requireFolderOf(output);
  const { text, encoding } = decodeText(await bytesOf(file));
  const table = readTable(text, /\.(?:tsv|tab)$/i.test(file) ? '\t' : undefined);
  if (table.brokenRecord !== null)
    throw new UsageProblem(`Row ${table.brokenRecord} has quotes that don't match. Correct it first.`);
  const { index, header } = columnOf(table, values.column);
  const rows = table.hasHeader ? table.records.slice(1) : table.records;
  const cells = rows.map((row) => row.cells[index] ?? '');
  const recognized = cells.map((cell) => recognize(cell, header));
  const asked = recognized.map((each) => (maySend(each) ? queryOf(each) : undefined));
  const queries = asked.filter((query) => query !== undefined);
  const { client } = await service(context).get();
  const answers = (queries.length > 0 ? await client.resolve(queries, { signal }) : []).values();
  const results = asked.map((query, at) => {
    const { value, problem } = recognized[at] ?? { value: '', problem: undefined };
    if (!query) return { status: value === '' ? 'empty' : 'malformed', company: null, reason: value && problem };
    const result = answers.next().value;
    const status = result ? statusOf(result) : 'unmatched';
    return { status, company: status === 'matched' ? result?.company : null, reason: undefined };
  });
  const added = results.map(({ status, company }) => [
    company?.company_key ?? '',
    shown(company?.company_name ?? ''),
    status,
  ]);
  const next = added.values();
  const insertions = addColumns(table, {
    names: addedNames,
    formulas: 'neutralize',
    valuesOf: () => next.next().value,
  });
  const changed = encoded(withInsertions(text, insertions), encoding);
  if (output !== undefined) await replaceFile(output, changed);
  else if (!out.isJson) process.stdout.write(changed);
  if (!out.isJson) {
    const said = `${header} (${assumptions(text, table, encoding)}): ${countWords(results.map(({ status }) => status))}`;
    // Without an output file the table itself is on standard output.
    const print = output === undefined ? out.warn : out.line;
    print(shown(said));
    for (const reason of new Set(results.flatMap((each) => each.reason || []))) print(shown(reason));
  }
  return {
    code: results.every(({ status }) => status === 'matched') ? exit.same : exit.differs,
    document: {
      ...{ column: header, encoding, delimiter: table.delimiter, header: table.hasHeader },
      added: freeNames(addedNames, table),
      results: results.map(({ status, company, reason }, at) => ({
        query: cells[at] ?? '',
        status,
        company_key: company?.company_key ?? null,
        company_name: company ? shown(company.company_name ?? '') || null : null,
        ...(reason && { reason }),
      })),
    },
  };
}

/** How the file was read: what a person can't see in the result. */
function assumptions(text: string, table: IdentifierTable, encoding: string): string {
  const { delimiter, hasHeader, records, width } = table;
  const line = text.slice(0, records[0]?.end).split(/\r\n|\r|\n/).length;
  return [
    encoding,
    ...(width > 1 ? [`delimiter ${delimiter === '\t' ? 'tab' : delimiter}`] : []),
    ...(hasHeader ? (line > 1 ? [`header in line ${line}`] : []) : ['no header']),
  ].join(', ');
}

async function bytesOf(file: string): Promise<Uint8Array> {
  const { size } = await onDisk(() => stat(file)).catch(() => {
    throw new UsageProblem(`${shown(basename(file))} can't be read.`);
  });
  if (size > maxBytes) throw new UsageProblem('The file is larger than 50 MB. Split it.');
  return onDisk(() => readFile(file));
}

/** The column that is named, else the one with most identifiers. */
function columnOf(table: IdentifierTable, named?: string): { readonly index: number; readonly header: string } {
  const columns = guessColumns(table);
  if (columns.every(({ filled }) => filled === 0)) throw new UsageProblem('The file holds no values.');
  const sameName = (header: string) => header.toLowerCase() === named?.trim().toLowerCase();
  const found = named === undefined ? columns[0] : columns.find(({ header }) => sameName(header));
  if (found && (named !== undefined || found.recognized > 0)) return found;
  const headers = columns.toSorted((a, b) => a.index - b.index).map(({ header }) => header);
  throw new UsageProblem(
    named === undefined
      ? 'No column holds identifiers. Give --column NAME.'
      : `There is no such column. There are: ${shown(headers.join(', '))}.`,
  );
}

/** A report key names no company; as a name it comes back unmatched rather than wrongly matched. */
function queryOf({ kind, value }: ReturnType<typeof recognize>): IdentifierQuery {
  return { list: kind === 'report-key' ? 'names' : `${kind}s`, value };
}

function statusOf({ matched, ambiguous, entitled }: ResolveResult): string {
  return ambiguous ? 'ambiguous' : !matched ? 'unmatched' : entitled === false ? 'not-licensed' : 'matched';
}

function encoded(text: string, encoding: Parameters<typeof encodeText>[1]): Uint8Array {
  try {
    return encodeText(text, encoding);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageProblem(
      `A company's name can't be written in the file's encoding. ${error.message} Save the file as UTF-8.`,
    );
  }
}

/** A reader sees the old text or the new one. */
async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const draft = `${path}.${process.pid}.part`;
  await onDisk(async () => {
    try {
      await writeFile(draft, bytes, { flag: 'wx' });
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  });
}
