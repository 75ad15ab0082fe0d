import type { Client, ClientOptions } from '../../../src/api/client.ts';
import type { Page } from '../../../src/api/schemas/page.ts';
import type { Secret } from '../../../src/base/secret.ts';
import type { Catalog, DemoCompany, DemoReport } from '../../../src/demo/catalog.ts';
import { services } from '../../support/demo/ask.ts';
import { catalogOf } from '../../support/demo/generated.ts';
import type { TestDemo, TestDemoOptions } from '../../support/demo/testDemo.ts';
import { tinyCatalog, tinyReport } from '../../support/demo/tinyCatalog.ts';
import { type VariantName, variantNames, variants } from '../../support/demo/variants.ts';
import { clientFor, disposeClients } from './clients.ts';
import { HurriedClock } from './hurriedClock.ts';

/** Every way in which the demo reads what the interface leaves open. */
export const readingNames = variantNames;

/** A type code that the interface does not name. */
export const unknownType = 'ZZZZ';

/** An alias of two companies, so that nobody can tell which is meant. */
export const sharedName = 'Twofold';

/**
 * Eight invented companies with all their reports, an undated one and one of an unknown type among them; the last two
 * companies are outside every license. PDFs have a few bytes.
 */
export function richCatalog(): Catalog {
  const { companies, reports } = catalogOf(8);
  const aliased = companies.map((company, index) =>
    index < 2 ? { ...company, aliases: [...company.aliases, sharedName] } : company,
  );
  const key = companies[0]?.company_key ?? '';
  const undated = tinyReport(9_000_001, key, { report_type: 'CODE', report_year: 0, report_fcyear: null });
  const unknown = tinyReport(9_000_002, key, { report_type: unknownType });
  return tinyCatalog(aliased, [...reports, undated, unknown]);
}

/** A running service and a client of it, with its full key. */
interface StartedDemo {
  readonly demo: TestDemo;
  readonly client: Client;
  /** A company that no license holds, and a report of it. */
  readonly outside: { readonly company: DemoCompany; readonly report: DemoReport };
}

const { start, end } = services();

/** A service with the rich catalog, and a client that waits on a clock which waits for nobody. */
export async function startDemo(
  { readings = 'plain', ...options }: TestDemoOptions & { readonly readings?: VariantName } = {},
  more: Partial<ClientOptions> = {},
): Promise<StartedDemo> {
  const catalog = options.catalog ?? richCatalog();
  const unlicensed = options.unlicensed ?? catalog.companies.slice(-2).map(({ company_key }) => company_key);
  const clock = new HurriedClock();
  const demo = await start({ clock, variant: variants[readings], ...options, catalog, unlicensed });
  const client = clientFor(demo.baseUrl, { key: demo.key, clock, ...more });
  const company = demo.control.catalog.company(unlicensed[0] ?? '');
  const report = catalog.reports.find(({ company_key }) => company_key === company.company_key);
  if (!report) throw new Error('The company outside the license has no report.');
  return { demo, client, outside: { company, report } };
}

/** A further client of a service, with another of its keys. */
export function clientWith(demo: TestDemo, key: Secret, more: Partial<ClientOptions> = {}): Client {
  return clientFor(demo.baseUrl, { key, clock: new HurriedClock(), ...more });
}

/** Ends all clients and services that were started. Fails when a service found a fault of its own making. */
export async function endDemos(): Promise<void> {
  disposeClients();
  await end();
}

/** Every record of a list, page after page. */
export async function everything<T>(list: AsyncIterable<Page<T>>): Promise<T[]> {
  return (await everyPage(list)).flatMap((page) => [...page.data]);
}

export async function everyPage<T>(list: AsyncIterable<Page<T>>): Promise<Page<T>[]> {
  const pages: Page<T>[] = [];
  for await (const page of list) pages.push(page);
  return pages;
}

/** The first page of a list, and no more. */
export async function firstPage<T>(list: AsyncIterable<Page<T>>): Promise<Page<T>> {
  for await (const page of list) return page;
  throw new Error('The list has no page.');
}

export function idsOf(reports: readonly { readonly report_id: number }[]): number[] {
  return reports.map(({ report_id }) => report_id);
}
