import * as vscode from 'vscode';
import { lookupLimit } from '../../api/endpoints/reports.ts';
import { reportTypeName } from '../../api/schemas/reportTypes.ts';
import { isObject } from '../../base/json.ts';
import { cleanText } from '../../identifiers/codes.ts';
import type { ReportSummary } from '../../library/reportQuery.ts';
import type { Asked, AskHow, FoundReport, LookupEntry } from '../../protocol/resultsView.ts';
import type { Services } from '../../services.ts';
import { connectionCalls } from './connectionCalls.ts';
import { type Asking, askKept } from './keptQuestions.ts';

type Found = NonNullable<LookupEntry['result']>;

const longestKey = 200;

/**
 * Looks report keys up, one entry each, in input order (LKP-1). What can be no key is not sent, and says why. What is
 * known of a report comes from the library on this machine alone.
 */
export async function lookupTexts(
  services: Services,
  texts: readonly string[],
  { signal, fresh, onProgress }: AskHow = {},
): Promise<Asked<LookupEntry>> {
  const read = texts.map((text) => ({ text, key: cleanText(text), problem: problemOf(cleanText(text)) }));
  const sent = read.filter(({ problem }) => problem === null).map(({ key }) => key);
  const { store, clock, call, library } = await connectionCalls(services, sent.length > 0);
  const asking: Asking<string, Found> = {
    nameOf: (key) => `lookup\n${key}`,
    size: lookupLimit,
    async ask(batch) {
      const found = await call((client) => client.lookup(batch, { signal, priority: 'interactive' }));
      return found.map(({ report_id, canonical_report_key }) => ({ report_id, canonical_report_key }));
    },
    write: (found) => found,
    read: readKept,
  };
  const asked = await askKept(sent, asking, {
    store,
    clock,
    signal,
    ...(fresh === undefined ? {} : { fresh }),
    ...(onProgress ? { onProgress } : {}),
  });
  const ids = [...new Set(asked.answers.flatMap(({ report_id }) => report_id ?? []))];
  const summaries = library && ids.length > 0 ? await library.withSignal(signal).summaries(ids) : [];
  const known = new Map(summaries.map((summary) => [summary.report_id, knownReport(summary)]));
  let next = 0;
  const entries = read.map(({ text, key, problem }): LookupEntry => {
    if (problem !== null) return { query: text, result: null, problem, known: null };
    const result = asked.answers[next++] as Found;
    return { query: key, result, problem, known: known.get(result.report_id ?? -1) ?? null };
  });
  return { entries, cost: asked };
}

/** Why a text can't be a report key; null when it may be one. The service knows best, so only the plainest is refused. */
function problemOf(key: string): string | null {
  if (key === '') return vscode.l10n.t('There is nothing to look for.');
  const isShaped = key.length <= longestKey && !/\s/.test(key) && key.includes('_');
  return isShaped ? null : vscode.l10n.t('A report key looks like XPAR_ABCD_2024_SR.');
}

function readKept(raw: unknown): Found | null {
  if (!isObject(raw)) return null;
  const { report_id, canonical_report_key } = raw;
  if (report_id !== null && !(Number.isSafeInteger(report_id) && Number(report_id) > 0)) return null;
  if (canonical_report_key !== null && typeof canonical_report_key !== 'string') return null;
  return { report_id: report_id as number | null, canonical_report_key };
}

function knownReport(summary: ReportSummary): FoundReport {
  const { report_key, title, company_name, fiscal_year, type, has_file, state } = summary;
  const typeName = type === null ? null : reportTypeName(type);
  return { report_key, title, company_name, fiscal_year, type: typeName, has_file, withdrawn: state !== 'listed' };
}
