import type { Readable } from 'node:stream';
import * as z from 'zod/mini';
import { isObject, type JsonObject, put } from '../../base/json.ts';
import { Secret } from '../../base/secret.ts';
import { type ColumnName, columns, type FieldName, type FieldTable, type FieldType, fields } from './fields.ts';
import type { CallOptions } from './page.ts';
import {
  filledText,
  flag,
  float,
  integer,
  open,
  positiveId,
  type Reading,
  type RecordOf,
  recordReader,
  text,
} from './record.ts';

/** A three-valued fact: `false` is evidence against it, `null` is undetermined (CNV-2). */
export type TriState = boolean | null;

const shapes = {
  string: text,
  integer,
  float,
  boolean: flag,
  date: text,
  timestamp: text,
  year: z._default(z.nullable(z.union([z.int(), z.string()])), null),
  open,
} as const satisfies Record<FieldType, z.ZodMiniType>;

/** Fields without which a report is of no use. */
const requiredShapes = { report_id: positiveId, report_key: filledText, company_key: filledText };
type Required = typeof requiredShapes;

/** The typed fields of a report, by the table of fields; null when unknown (CNV-1), the three keys never. */
type TypedFields = {
  readonly [Name in FieldName]: z.output<
    Name extends keyof Required ? Required[Name] : (typeof shapes)[FieldTable[Name]['type']]
  >;
};

/** A report (RPT-1). Its three keys are certain; other fields are null when unknown (CNV-1) or ill-typed. */
export interface Report extends TypedFields {
  /** The 50 columns as strings, empty when unknown (CNV-4); a column the service left out is an empty string here. */
  readonly metadata: Readonly<Record<ColumnName, string>>;
  /** Fields and columns that the interface does not name, or whose value had an unexpected type, unchanged (RPT-2). */
  readonly other: Readonly<Record<string, unknown>>;
}

const shapeOfReport = {
  ...Object.fromEntries(fields.map(({ apiField, type }) => [apiField, shapes[type]])),
  ...requiredShapes,
  metadata: open,
};
const readReportFields = recordReader<Record<string, z.ZodMiniType>>(shapeOfReport, {
  report_id: 'The report has no usable report_id.',
  report_key: 'The report has no report_key.',
  company_key: 'The report has no company_key.',
});

/** Reads a Report object (RPT-1, RPT-2). One without its three keys is refused with a reason. */
export function readReport(raw: JsonObject): Reading<Report> {
  const reading = readReportFields(raw);
  if (!reading.ok) return reading;
  const { value } = reading;
  const metadata = readMetadata(value.metadata);
  if (metadata.other !== null) value.other.metadata = metadata.other;
  value.metadata = metadata.columns;
  return { ok: true, value: value as unknown as Report };
}

const columnNames: readonly ColumnName[] = columns.map((column) => column.name);

/** The 50 columns as strings (CNV-4), and the columns that are not among them or could not be written as a string. */
interface Metadata {
  readonly columns: Record<ColumnName, string>;
  /** Null when there is nothing of the kind. */
  readonly other: unknown;
}

/** Reads a report's `metadata`: every column present, every value a string; whatever else came is kept apart. */
function readMetadata(raw: unknown): Metadata {
  const result = Object.fromEntries(columnNames.map((name) => [name, ''])) as Record<ColumnName, string>;
  if (!isObject(raw)) return { columns: result, other: raw ?? null };
  const other: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(raw)) {
    const written = Object.hasOwn(result, name) ? asCell(value) : null;
    if (written === null) put(other, name, value);
    else result[name as ColumnName] = written;
  }
  return { columns: result, other: Object.keys(other).length > 0 ? other : null };
}

/** How a value is written in a bulk delivery file: booleans in capitals, nothing for unknown; null if it can't be. */
function asCell(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'number') return String(value);
  return null;
}

/** Where a run of the change feed starts: at a time (ISO 8601, UTC), or where an earlier run stopped (CHG-1). */
export type ChangesFrom = { readonly since: string } | { readonly cursor: string };

/** One entry of the change feed (CHG-1). Kinds other than `upsert` and `withdrawn` are kept as they come. */
export interface Change extends Readonly<Omit<RecordOf<typeof changeShape>, 'report' | 'other'>> {
  readonly report: Report | null;
  /** Fields that the interface does not name, as they came. */
  readonly other?: Readonly<Record<string, unknown>>;
}

const changeShape = {
  ...{ change: filledText, report_id: positiveId, report_key: text, company_key: text },
  ...{ changed_at: text, content_sha256: text, report: open },
};
const readChangeFields = recordReader(changeShape, {
  change: 'The change does not say what kind it is.',
  report_id: 'The change has no usable report_id.',
});

/** Reads an item of the change feed. One whose report can't be read is refused whole, so that it is set aside. */
export function readChange(raw: JsonObject): Reading<Change> {
  const reading = readChangeFields(raw);
  if (!reading.ok) return reading;
  const { value } = reading;
  if (value.report === null) return { ok: true, value: { ...value, report: null } };
  if (!isObject(value.report)) return { ok: false, reason: 'The report of the change is not an object.' };
  const report = readReport(value.report);
  return report.ok ? { ok: true, value: { ...value, report: report.value } } : report;
}

/** What is here already of a file whose rest is asked for. */
export interface Resume {
  /** Bytes that are here: the first one that is asked for. Above 0. */
  readonly from: number;
  /** The strong entity tag that the bytes came with. With it the server sends the whole of a file that changed. */
  readonly tag?: string | undefined;
}

export interface OpenLinkOptions extends CallOptions {
  /** Asks for the rest of a file alone. The server may send the whole all the same: `start` says which came. */
  readonly resume?: Resume | undefined;
}

export interface FileResponse {
  /** Where in the file the body begins: 0, or what was asked for when the server honors it. */
  readonly start: number;
  /** Bytes of the whole file, if announced. */
  readonly total: number | null;
  /** The file's strong entity tag, if it has one; weak ones say nothing about bytes. */
  readonly tag?: string | undefined;
  /** Bytes of this body that the server announced, if any. */
  readonly contentLength: number | null;
  /** The bytes; read or destroy them to return the connection. They fail with the signal's reason or with `network`. */
  readonly body: Readable;
}

/** How long a link may surely be kept waiting, in ms; it lasts for 15 minutes at most. */
export const linkLife = 300_000;

/** A host that asked to be left alone. */
export interface HostSilence {
  /** On the clock that never goes backwards, ms. */
  readonly until: number;
  readonly reason: string;
}

/** A signed link to a PDF (DL-1): a credential, used once, kept nowhere (DL-2). */
export interface DownloadLink {
  readonly report_id: number;
  readonly url: Secret;
}

const readLinkFields = recordReader({ report_id: integer, url: filledText }, { url: 'The response contains no link.' });

/** Reads the link to the PDF of the report that was asked for. The url leaves this function only as a secret. */
export function readDownloadLink(raw: JsonObject, requestedId: number): Reading<DownloadLink> {
  const reading = readLinkFields(raw);
  if (!reading.ok) return reading;
  const { report_id, url } = reading.value;
  return { ok: true, value: { report_id: report_id ?? requestedId, url: new Secret(url) } };
}
