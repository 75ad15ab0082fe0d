import { l10n } from '../base/l10n.ts';
import { byteSize, counted, countText } from '../base/words.ts';
import type { FileHash } from '../files/hash.ts';
import type { LockRow } from './manifest.ts';
import { type KnownReport, publishedHash } from './ports.ts';

/** What this computer knows of a report to download. */
export interface PlanInput {
  readonly report: Omit<KnownReport, 'report_key' | 'company_key'>;
  /** The lock's row of the report, if any. */
  readonly held: LockRow | undefined;
  /** The file at its path; `sha256` when it was read. */
  readonly there: (Pick<FileHash, 'bytes' | 'rewrite'> & { readonly sha256?: string | undefined }) | undefined;
  /** Whether this computer has the bytes elsewhere. */
  readonly isKept: boolean;
}

/** `toCopy` comes from this computer and needs no link. `blocked` has another or an edited file in its way. */
type PlanGroup = 'here' | 'noFile' | 'toCopy' | 'toDownload' | 'blocked';

/** Five groups that make up all reports of a download. */
export interface Plan extends Readonly<Record<PlanGroup, readonly number[]>> {
  /** Bytes to fetch, of those whose size is published. */
  readonly bytesKnown: number;
  /** How many to fetch have no published size. */
  readonly bytesUnknown: number;
}

/** Groups reports by what a download of each would do. */
export function plan(inputs: readonly PlanInput[]): Plan {
  const groups: Record<PlanGroup, number[]> = { here: [], noFile: [], toCopy: [], toDownload: [], blocked: [] };
  let bytesKnown = 0;
  let bytesUnknown = 0;
  for (const input of inputs) {
    const group = groupOf(input);
    groups[group].push(input.report.report_id);
    if (group !== 'toDownload') continue;
    const megabytes = input.report.report_filesize ?? 0;
    if (megabytes > 0) bytesKnown += Math.round(megabytes * 1e6);
    else bytesUnknown++;
  }
  return { ...groups, bytesKnown, bytesUnknown };
}

function groupOf({ report, held, there, isKept }: PlanInput): PlanGroup {
  if (report.has_file === false) return 'noFile';
  const wanted = publishedHash(report);
  if (there) {
    if (there.sha256 !== undefined && there.sha256 === wanted) return 'here';
    const { kind, sha256: before } = there.rewrite ?? {};
    const isRewritten = before !== undefined && (before === held?.sha256 || before === wanted);
    // The file itself restores them.
    if (isRewritten && kind === 'line-ends' && (wanted === null || before === wanted)) return 'toCopy';
    // A file of the size we wrote counts as ours until the download reads it.
    const isOurs = held !== undefined && (there.sha256 ? there.sha256 === held.sha256 : there.bytes === held.bytes);
    if (!isOurs && !isRewritten) return 'blocked';
    if (isOurs && (wanted === null || wanted === held.sha256)) return 'here';
  }
  return isKept && wanted !== null ? 'toCopy' : 'toDownload';
}

/** What a plan costs and leaves out: "Counts as 21 downloads against your license, about 61 MB." Empty for nothing. */
export function planSentence({ here, noFile, toCopy, toDownload, blocked, bytesKnown, bytesUnknown }: Plan): string {
  const said = (ids: readonly number[], words: string) =>
    ids.length === 0 ? [] : [l10n.word(words).replace('{0}', countText(ids.length))];
  const size = sizeOf(bytesKnown, bytesUnknown, toDownload.length);
  const downloads = counted(toDownload.length, l10n.later('1 download'), l10n.later('{0} downloads'));
  const parts = [
    ...(toDownload.length > 0 ? [l10n.t('Counts as {0} against your license, {1}', downloads, size)] : []),
    ...said(toCopy, l10n.later('{0} copied from this computer')),
    ...said(here, l10n.later('{0} already downloaded')),
    ...said(noFile, l10n.later('{0} without a PDF')),
    ...said(blocked, l10n.later('{0} blocked by another file')),
  ];
  return parts.length === 0 ? '' : `${parts.join('; ')}.`;
}

function sizeOf(known: number, unknown: number, total: number): string {
  if (unknown === total) return l10n.t('size unknown');
  const size = byteSize(known, l10n.language());
  return unknown === 0 ? l10n.t('about {0}', size) : l10n.t('at least {0}', size);
}
