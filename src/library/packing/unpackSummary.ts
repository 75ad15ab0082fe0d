import type { ReportState, ReportSummary } from '../reportQuery.ts';
import { summarise } from '../summarise.ts';
import type { Cell } from './codecs.ts';
import { fromHexBytes, fromNumeric, fromPredicted } from './codecs.ts';
import { type PackedReport, place } from './packedReport.ts';
import { flagAt } from './triStates.ts';
import { known, number, predictedEnd, predictedKey, text, unpackForList } from './unpack.ts';
import type { Words } from './words.ts';

/** Facts of a company that were taken apart last; reports of one company mostly follow one another. */
export interface LastFacts {
  json: string;
  facts: readonly string[];
}

/**
 * What a list shows of a stored report, without making the whole of it: the same as `summarise` of what unpacking gives,
 * at a third of the cost. A report that holds more than follows is unpacked.
 */
export function unpackSummary(packed: PackedReport, state: ReportState, words: Words, last: LastFacts): ReportSummary {
  if (packed.extra !== null) return summarise(unpackForList(packed, words), packed.fy, state);
  if (last.json !== packed.facts) {
    last.facts = JSON.parse(packed.facts) as string[];
    last.json = packed.facts;
  }
  const body = JSON.parse(packed.body) as Cell[];
  const [companyKey = '', company = ''] = last.facts;
  const { fy } = packed;
  const type = packed.type === 0 ? null : words.text(packed.type);
  const year = fromNumeric(body[place.year]);
  return {
    report_id: packed.report_id,
    report_key: fromPredicted(body[place.reportKey], predictedKey(companyKey, year, type)),
    company_key: companyKey,
    company_name: known(company),
    title: known(text(body[place.title])),
    type,
    class: packed.class === 0 ? null : words.text(packed.class),
    fiscal_year: fy === 0 ? null : fy,
    fiscal_year_label: known(fromPredicted(body[place.fiscalYear], String(fy))),
    year: number(year),
    language: packed.lang === 0 ? null : words.text(packed.lang),
    pages: number(fromNumeric(body[place.pages])),
    filesize: number(fromNumeric(body[place.filesize])),
    published: known(text(body[place.published])),
    period_end: known(fromPredicted(body[place.periodEnd], predictedEnd(fy))),
    has_file: flagAt(packed.flags, 0),
    sha256: fromHexBytes(packed.sha),
    state,
  };
}
