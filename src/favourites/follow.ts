import { type Favourite, isKey, joined, nameOf } from './list.ts';

/** What a report goes by. */
interface ReportNames {
  readonly report_id: number;
  readonly report_key: string;
  readonly company_key: string;
}

/** What the library on this machine knows of reports and companies, by their present and former ids and keys. */
export interface KnownNames {
  summaries(reportIds: readonly number[]): Promise<readonly (ReportNames & { readonly state: string })[]>;
  report(id: number): Promise<{ readonly report: ReportNames; readonly state: string } | null>;
  company(key: string): Promise<{ readonly company_key: string } | null>;
}

/** What favourites are called now, by what they are called in a list. */
export type Moves = ReadonlyMap<string, NewNames>;

type NewNames = Partial<Favourite> & Pick<Favourite, 'company_key'>;

/**
 * Those favourites that go by another name now: one of a merged report goes to the survivor (RID-1), one of a renamed
 * company or report takes the new key (COM-1, RID-2). What is withdrawn or not known stays as it is.
 */
export async function movesOf(items: readonly Favourite[], known: KnownNames): Promise<Moves> {
  const ids = items.flatMap(({ report_id }) => report_id ?? []);
  const held = new Map((await known.summaries(ids)).map((report) => [report.report_id, report]));
  const moves = new Map<string, NewNames>();
  for (const item of items) {
    const names = item.report_id === null ? await companyNow(item.company_key) : await reportNow(item.report_id);
    const isSame = Object.entries(names ?? {}).every(([member, value]) => item[member as keyof Favourite] === value);
    if (names && !isSame && isKey(names.company_key)) moves.set(nameOf(item), names);
  }
  return moves;

  async function companyNow(key: string): Promise<NewNames | undefined> {
    const company = await known.company(key);
    return company ? { company_key: company.company_key } : undefined;
  }

  async function reportNow(id: number): Promise<NewNames | undefined> {
    const report = held.get(id);
    const survivor = report?.state === 'listed' ? undefined : await known.report(id);
    const now = survivor?.state === 'listed' ? survivor.report : report;
    if (!now) return undefined;
    const report_key = isKey(now.report_key) ? now.report_key : null;
    return { report_id: now.report_id, report_key, company_key: now.company_key };
  }
}

/**
 * A list by the present names; two favourites that became one keep the notes and tags of both.
 * @param onCut told of each note that lost its end, being too long together
 */
export function moved(items: readonly Favourite[], moves: Moves, onCut?: () => void): Favourite[] {
  const renamed = items.map((item) => ({ ...item, ...moves.get(nameOf(item)) }));
  return joined(renamed, 'add', onCut);
}
