import type { ReportFilter } from '../api/client.ts';
import type { Report } from '../api/schemas/report.ts';
import type { Wanted } from '../downloads/folder.ts';
import { planSentence } from '../downloads/plan.ts';
import type { DownloadResult } from '../downloads/ports.ts';
import { endsBatch } from '../downloads/queue.ts';
import { type Connected, service, sourceOf } from './connect.ts';
import type { CommandContext, CommandOutcome } from './context.ts';
import { exit, UsageProblem } from './exit.ts';
import { openFolder } from './folder.ts';
import { shown } from './output.ts';
import { outcomeOfResults, resultLine } from './restore.ts';

/** About as many reports of a filter are in memory at once: a year of a large license has tens of thousands. */
const atOnce = 500;

/** Downloads reports by key or id, or those of a filter. */
export async function download(context: CommandContext): Promise<CommandOutcome> {
  const { out, names, signal, values } = context;
  const filter = filterOf(values);
  if ((names.length === 0) === (filter === undefined))
    throw new UsageProblem('Give report keys or ids, or a filter such as --company and --year.');
  const connected = service(context);
  const source = sourceOf(context, connected);
  const folder = await openFolder(context, source, true);
  await folder.requireService();
  const { client } = await connected.get();
  const isDry = values['dry-run'] === true;
  const { wanted, unknown } = filter ? { wanted: [], unknown: [] } : await reportsNamed(client, names, signal);
  for (const name of unknown) out.line(`${'unknown'.padEnd(16)}  ${shown(name)}`);
  // A plan needs the size of each.
  const parts = filter ? reportsOf(client, filter, signal, isDry ? Number.POSITIVE_INFINITY : atOnce) : [wanted];
  const results: DownloadResult[] = [];
  let isEmpty = filter !== undefined;
  for await (const part of parts) {
    isEmpty = false;
    if (isDry) {
      const plan = await folder.plan(part);
      out.line(planSentence(plan) || 'Nothing to download.');
      return { code: unknown.length > 0 ? exit.differs : exit.same, document: { plan, unknown } };
    }
    const tell = out.progress('Downloading', part.length);
    let done = 0;
    const onResult = (result: DownloadResult) => {
      resultLine(context, result);
      tell(++done);
    };
    const some = await folder.download(part, { signal, priority: 'interactive', onResult });
    results.push(...some.map(withoutMetadata));
    // What ends one part ends the command: a refused key is asked no further question.
    if (signal.aborted || some.some(({ cause }) => cause !== undefined && endsBatch.has(cause))) break;
  }
  if (isEmpty) {
    out.line('No report in your license matches the filter.');
    const plan = isDry ? { plan: await folder.plan([]) } : { reports: [] };
    return { code: exit.differs, document: { ...plan, unknown } };
  }
  const { code, document } = outcomeOfResults(context, results);
  return { code: code === exit.same && unknown.length > 0 ? exit.differs : code, document: { ...document, unknown } };
}

type ServiceClient = Connected['client'];

/** The filter that the options make; undefined without any. @throws UsageProblem for a year that is none */
export function filterOf({ company, type, year, isin, language, framework }: CommandContext['values']) {
  const fcyear = year?.map((text) => {
    if (!/^\d{4}$/.test(text)) throw new UsageProblem('--year takes a fiscal year of four digits.');
    return Number(text);
  });
  const filter: ReportFilter = { company_key: company, type, fcyear, isin, language, framework };
  return Object.values(filter).some((value) => value !== undefined) ? filter : undefined;
}

/** The reports of a filter, at least so many at a time; nothing where there are none. */
export async function* reportsOf(
  client: Pick<ServiceClient, 'reports'>,
  filter: ReportFilter,
  signal: AbortSignal,
  least = atOnce,
): AsyncGenerator<readonly Report[]> {
  let some: Report[] = [];
  for await (const { data } of client.reports(filter, { signal })) {
    some.push(...data);
    if (some.length < least) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

function withoutMetadata({ report, ...result }: DownloadResult): DownloadResult {
  const { report_id, report_key, company_key, has_file, content_sha256 } = report;
  return { ...result, report: { report_id, report_key, company_key, has_file, content_sha256 } };
}

/** The reports of these ids and keys; what the service knows none for is given back. */
async function reportsNamed(client: ServiceClient, names: readonly string[], signal: AbortSignal) {
  const isId = (name: string) => /^[1-9]\d{0,15}$/.test(name) && Number.isSafeInteger(Number(name));
  const keys = names.filter((name) => !isId(name));
  const found = keys.length > 0 ? await client.lookup(keys, { signal }) : [];
  const idOf = new Map(found.map(({ report_key, report_id }) => [report_key, report_id]));
  const wanted: Wanted[] = [];
  const unknown: string[] = [];
  for (const name of names) {
    const id = isId(name) ? Number(name) : idOf.get(name);
    if (id) wanted.push({ id });
    else unknown.push(name);
  }
  return { wanted, unknown };
}
