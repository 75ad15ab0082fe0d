import type { ReportFilter } from '../api/client.ts';
import type { Wanted } from '../downloads/folder.ts';
import { planSentence } from '../downloads/plan.ts';
import type { DownloadResult } from '../downloads/ports.ts';
import { type Connected, service, sourceOf } from './connect.ts';
import type { CommandContext, CommandOutcome } from './context.ts';
import { exit, UsageProblem } from './exit.ts';
import { openFolder } from './folder.ts';
import { shown } from './output.ts';
import { outcomeOfResults, resultLine } from './restore.ts';

/** Most reports that are in memory with all that is known of them: a year of a large licence has tens of thousands. */
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
  // A plan needs the size of each.
  const mostHeld = values['dry-run'] ? Number.POSITIVE_INFINITY : atOnce;
  const { wanted, unknown } = filter
    ? { wanted: await wantedByFilter(client, filter, signal, mostHeld), unknown: [] }
    : await reportsNamed(client, names, signal);
  const isEmpty = filter !== undefined && wanted.length === 0;
  if (isEmpty) out.line('No report in your licence matches the filter.');
  for (const name of unknown) out.line(`${'unknown'.padEnd(16)}  ${shown(name)}`);
  if (values['dry-run']) {
    const plan = await folder.plan(wanted);
    if (!isEmpty) out.line(planSentence(plan) || 'Nothing to download.');
    return { code: unknown.length > 0 || isEmpty ? exit.differs : exit.same, document: { plan, unknown } };
  }
  if (isEmpty) return { code: exit.differs, document: { reports: [], unknown } };
  const tell = out.progress('Downloading', wanted.length);
  let done = 0;
  const results: DownloadResult[] = [];
  for (let start = 0; start < wanted.length; start += atOnce) {
    const some = await folder.download(wanted.slice(start, start + atOnce), {
      ...{ signal, priority: 'interactive' },
      onResult: (result) => {
        resultLine(context, result);
        tell(++done);
      },
    });
    results.push(...some.map(withoutMetadata));
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

/** The reports of a filter: the first with all that is known of them, the others by their ids. */
export async function wantedByFilter(
  client: Pick<ServiceClient, 'reports'>,
  filter: ReportFilter,
  signal: AbortSignal,
  mostHeld = atOnce,
): Promise<readonly Wanted[]> {
  const wanted: Wanted[] = [];
  for await (const { data } of client.reports(filter, { signal }))
    for (const report of data) wanted.push(wanted.length < mostHeld ? report : { id: report.report_id });
  return wanted;
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
