import * as z from 'zod/mini';
import { l10n } from '../base/l10n.ts';

/** A company or a report with a star. */
export interface Favorite {
  readonly company_key: string;
  /** Null for a company. */
  readonly report_id: number | null;
  /** What a report is called while the library doesn't hold it. */
  readonly report_key: string | null;
}

/** Which company or report. */
export type FavoriteName = Pick<Favorite, 'company_key' | 'report_id'>;

/** More than anyone stars: all favorites are held in memory. */
const maxFavorites = 50_000;

const fileSchema = z.object({
  version: z.literal(1),
  items: z.array(
    z.object({ company_key: z.string(), report_id: z.nullable(z.int()), report_key: z.nullable(z.string()) }),
  ),
});

/** Tells favorites apart. */
export function nameOf({ company_key, report_id }: FavoriteName): string {
  return report_id === null ? `company:${company_key}` : `report:${report_id}`;
}

/** The favorites of one connection at one moment. */
export class Favorites {
  /** A company before its reports. */
  readonly items: readonly Favorite[];
  readonly #names: ReadonlySet<string>;

  constructor(items: readonly Favorite[]) {
    this.items = items;
    this.#names = new Set(items.map(nameOf));
  }

  has(name: FavoriteName): boolean {
    return this.#names.has(nameOf(name));
  }
}

export const noFavorites = new Favorites([]);

/** Each company and report once, in the same order on every computer. */
export function joined(items: Iterable<Favorite>): Favorite[] {
  const byName = new Map(Array.from(items, (item) => [nameOf(item), item]));
  return [...byName.values()].sort(
    (a, b) => compareKeys(a.company_key, b.company_key) || (a.report_id ?? 0) - (b.report_id ?? 0),
  );
}

/** Unlike a collator's, its order depends on no language. */
function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** @throws Error that names the file when it can't be read */
export function parseFavorites(text: string, path: string): Favorite[] {
  try {
    return joined(fileSchema.parse(JSON.parse(text)).items);
  } catch (error) {
    const message = l10n.t('Can’t read your favorites. Repair or delete {0}, then try again.', path);
    throw new Error(message, { cause: error });
  }
}

/** @throws Error when there are too many */
export function formatFavorites(items: readonly Favorite[]): string {
  if (items.length > maxFavorites) throw new Error(l10n.t('You can have at most {0} favorites.', maxFavorites));
  return `${JSON.stringify({ version: 1, items: joined(items) })}\n`;
}

/** What a report goes by. */
interface ReportNames {
  readonly report_id: number;
  readonly report_key: string;
  readonly company_key: string;
}

/** What the library holds of reports and companies, by their present and former ids and keys. */
export interface KnownNames {
  summaries(reportIds: readonly number[]): Promise<readonly (ReportNames & { readonly state: string })[]>;
  report(id: number): Promise<{ readonly report: ReportNames; readonly state: string } | null>;
  company(key: string): Promise<{ readonly company_key: string } | null>;
}

/** New names of favorites, by their old ones. */
export type Moves = ReadonlyMap<string, Favorite>;

/**
 * The favorites that have another name now: one of a merged report moves to the survivor (RID-1), one of a renamed
 * company or report takes the new key (COM-1, RID-2). Withdrawn and unknown ones stay as they are.
 */
export async function movesOf(items: readonly Favorite[], known: KnownNames): Promise<Moves> {
  const ids = items.flatMap(({ report_id }) => report_id ?? []);
  const held = new Map((await known.summaries(ids)).map((report) => [report.report_id, report]));
  const moves = new Map<string, Favorite>();
  for (const item of items) {
    const now = item.report_id === null ? await companyNow(item) : await reportNow(item, item.report_id);
    const isSame = now.report_key === item.report_key && now.company_key === item.company_key;
    if (!isSame || now.report_id !== item.report_id) moves.set(nameOf(item), now);
  }
  return moves;

  async function companyNow(item: Favorite): Promise<Favorite> {
    const company = await known.company(item.company_key);
    return company ? { ...item, company_key: company.company_key } : item;
  }

  async function reportNow(item: Favorite, id: number): Promise<Favorite> {
    const report = held.get(id);
    const survivor = report?.state === 'listed' ? undefined : await known.report(id);
    const { report_id, report_key, company_key } = (survivor?.state === 'listed' && survivor.report) || report || item;
    return { company_key, report_id, report_key };
  }
}

/** Favorites by their present names. */
export function movedFavorites(items: readonly Favorite[], moves: Moves): Favorite[] {
  return joined(items.map((item) => moves.get(nameOf(item)) ?? item));
}
