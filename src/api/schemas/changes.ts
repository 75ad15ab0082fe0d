import { isObject, type JsonObject } from '../../base/json.ts';
import { filledText, open, positiveId, type Reading, recordReader, text } from './record.ts';
import { type Report, readReport } from './report.ts';

/** One entry of the change feed (CHG-1). Kinds other than `upsert` and `withdrawn` are kept as they come. */
export interface Change {
  readonly change: string;
  readonly report_id: number;
  readonly report_key: string | null;
  readonly company_key: string | null;
  readonly changed_at: string | null;
  readonly content_sha256: string | null;
  readonly report: Report | null;
  /** Fields that the interface does not name, as they came. */
  readonly other?: Readonly<Record<string, unknown>>;
}

const readFields = recordReader(
  {
    change: filledText,
    report_id: positiveId,
    report_key: text,
    company_key: text,
    changed_at: text,
    content_sha256: text,
    report: open,
  },
  { change: 'The change does not say what kind it is.', report_id: 'The change has no usable report_id.' },
);

/** Reads an item of the change feed. One whose report can't be read is refused whole, so that it is set aside. */
export function readChange(raw: JsonObject): Reading<Change> {
  const reading = readFields(raw);
  if (!reading.ok) return reading;
  const { value } = reading;
  if (value.report === null) return { ok: true, value: { ...value, report: null } };
  if (!isObject(value.report)) return { ok: false, reason: 'The report of the change is not an object.' };
  const report = readReport(value.report);
  return report.ok ? { ok: true, value: { ...value, report: report.value } } : report;
}
