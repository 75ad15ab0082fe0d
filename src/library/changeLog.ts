import type { Report } from '../api/schemas/report.ts';

/** What happened to a report, told apart for "What's New". */
export type ChangeKind =
  | 'new'
  /** The PDF is another one: `content_sha256` differs. */
  | 'pdf'
  /** Only the description changed. */
  | 'metadata'
  | 'withdrawn'
  /** Gone without notice, found by a full walk (ST-3). */
  | 'removed';

/** Kinds by the number they are stored as; new ones go to the end. */
export const changeKinds: readonly ChangeKind[] = ['new', 'pdf', 'metadata', 'withdrawn', 'removed'];

/** An entry of the change log. */
export interface LoggedChange {
  /** Rises with every entry; the marker of what has been seen. */
  readonly seq: number;
  /** When it happened by the service's account, else when it was noticed here; ms since the epoch. */
  readonly at: number;
  readonly kind: ChangeKind;
  readonly report_id: number;
  readonly report_key: string;
  readonly company_key: string;
  readonly company_name: string | null;
  readonly title: string | null;
  readonly fiscal_year: number | null;
  readonly type: string | null;
  /** Names of the typed fields that changed, for `pdf` and `metadata`. */
  readonly fields: readonly string[];
}

/** How many changes nobody has looked at yet. */
export interface Unseen {
  readonly all: number;
  /** Those that touch the reports asked about: the ones whose PDF is in the workspace. */
  readonly mine: number;
}

/** Fields that catalogue-wide maintenance re-stamps; a change in these alone is no news (CHG-5). */
const stamps: ReadonlySet<string> = new Set(['updated_at', 'created_at', 'report_hash', 'download_path']);

/** What an update means, and which typed fields changed; null when nothing a person would call news did. */
export function classifyUpdate(
  before: Report,
  after: Report,
): { readonly kind: ChangeKind; readonly fields: string[] } | null {
  const fields: string[] = [];
  for (const name in after) {
    if (name === 'metadata') continue;
    const field = name as keyof Report;
    if (before[field] !== after[field] && JSON.stringify(before[field]) !== JSON.stringify(after[field])) {
      fields.push(name);
    }
  }
  for (const name in after.metadata) {
    const column = name as keyof Report['metadata'];
    if (before.metadata[column] !== after.metadata[column] && fields.length === 0) fields.push('metadata');
  }
  const news = fields.filter((name) => !stamps.has(name));
  if (news.length === 0) return null;
  return { kind: before.content_sha256 === after.content_sha256 ? 'metadata' : 'pdf', fields: news };
}
