import * as z from 'zod/mini';
import { isObject } from '../base/json.ts';

/** The file that says what an export consists of; readers take its lists, never whatever lies in the folders. */
export const exportManifestName = '_manifest.json';

const folders = ['companies', 'changes', 'files', 'pages'] as const;
/** The tables of an export. */
export const exportTables = ['reports', ...folders] as const;
export type ExportTable = (typeof exportTables)[number];

/** How Hive, and every engine that reads its folders, names the partition without a value. */
const undated = '__HIVE_DEFAULT_PARTITION__';

/** The folder of the reports filed under a year; of undated ones for 0. */
export const folderOfYear = (year: number): string => `reports/fiscal_year=${year === 0 ? undated : year}`;

/** Anyone may have written a manifest: no path in it leads out of the export, nor to a file of another name. */
const pathForm =
  /^(?:reports\/fiscal_year=(?:-?\d{1,16}|__HIVE_DEFAULT_PARTITION__)|companies|changes|files|pages)\/[0-9a-f]{64}\.parquet$/;
/** Whether a path below an export is that of a file we name so. */
export const isExportPath = (path: string): boolean => pathForm.test(path);

const path = z.string().check(z.regex(pathForm));
const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const count = z.int().check(z.nonnegative());

const exportedFile = z.object({
  /** Below the folder of the export; the file is named by its SHA-256. */
  path,
  rows: count,
  bytes: count,
  sha256,
  /** The number of its first row in the order of its table; where a later run begins a file again. */
  first: count,
  /** SHA-256 of what its rows were made from: a later run that meets the same keeps the file. */
  source: sha256,
});
/** A file of an export. */
export type ExportedFile = z.output<typeof exportedFile>;

const exportedTable = z.object({
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  partition: z.nullable(z.literal('fiscal_year')),
  rows: count,
  files: z.array(exportedFile),
});

const exportManifest = z.object({
  version: z.literal(1),
  exported_at: z.string(),
  source: z.object({
    /** Origin of the service, without a path. */
    origin: z.string(),
    /** Tells libraries of one service apart, which another API key has; not there in the demo's. */
    library: z.optional(z.string()),
    /** Where the change feed goes on after these rows. */
    cursor: z.nullable(z.string()),
    /** False while the library was still loading. */
    complete: z.boolean(),
  }),
  tables: z.partialRecord(z.enum(exportTables), exportedTable),
  /** Files of the run before that are in no table any more: the next run removes them. */
  replaced: z.array(path),
});
/** What an export consists of. */
export type ExportManifest = z.output<typeof exportManifest>;

/** The manifest that a text is; undefined when it is none of ours. */
export function readExportManifest(text: string): ExportManifest | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const reading = exportManifest.safeParse(value);
    return isObject(value) && reading.success ? reading.data : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Every file that is in a table. */
export function filesOf({ tables }: ExportManifest): readonly ExportedFile[] {
  return Object.values(tables).flatMap(({ files }) => files);
}

/** The manifest as a text: a file to a line. */
export function formatExportManifest(manifest: ExportManifest): string {
  const tables = Object.entries(manifest.tables).map(([name, { files, columns, ...table }]) => {
    const lines = (items: readonly unknown[]) => items.map((item) => `\n      ${JSON.stringify(item)}`).join(',');
    const rest = JSON.stringify(table).slice(1, -1);
    return `\n    ${JSON.stringify(name)}: {${rest}, "columns": [${lines(columns)}], "files": [${lines(files)}]}`;
  });
  const { tables: _, ...rest } = manifest;
  return `{\n  ${JSON.stringify(rest).slice(1, -1)},\n  "tables": {${tables.join(',')}\n  }\n}\n`;
}
