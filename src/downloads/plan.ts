import { byteSize } from '../base/words.ts';
import type { LockRow } from './manifest.ts';
import { type KnownReport, publishedHash } from './ports.ts';

/** What is known, without a network, about one report that is to be downloaded. */
export interface PlanInput {
  readonly report: Omit<KnownReport, 'report_key' | 'company_key'>;
  /** The lock's row of the report, if any. */
  readonly held: LockRow | undefined;
  /** What lies at its place; `sha256` when it was read. */
  readonly there: { readonly bytes: number; readonly sha256?: string | undefined } | undefined;
  /** Whether the bytes are kept somewhere on this machine. */
  readonly isKept: boolean;
}

/** What a download of many reports comes to. The five groups make up all of them. */
export interface Plan {
  readonly here: readonly number[];
  readonly noFile: readonly number[];
  /** Copied from this machine: no link needed. */
  readonly toCopy: readonly number[];
  readonly toDownload: readonly number[];
  /** Another or an edited file lies there; it will stay. */
  readonly blocked: readonly number[];
  /** Bytes to fetch, of those whose size is published. */
  readonly bytesKnown: number;
  /** How many to fetch have no published size. */
  readonly bytesUnknown: number;
  /** Downloads it will be counted as on the key. */
  readonly links: number;
}

type Group = 'here' | 'noFile' | 'toCopy' | 'toDownload' | 'blocked';

/** Sorts reports by what a download of each would do. Pure; from local knowledge alone. */
export function plan(inputs: readonly PlanInput[]): Plan {
  const groups: Record<Group, number[]> = { here: [], noFile: [], toCopy: [], toDownload: [], blocked: [] };
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
  return { ...groups, bytesKnown, bytesUnknown, links: groups.toDownload.length };
}

function groupOf({ report, held, there, isKept }: PlanInput): Group {
  if (report.has_file === false) return 'noFile';
  const wanted = publishedHash(report);
  if (there) {
    if (there.sha256 !== undefined && there.sha256 === wanted) return 'here';
    // A file of the size we wrote counts as ours until the download reads it.
    const isOurs = held !== undefined && (there.sha256 ? there.sha256 === held.sha256 : there.bytes === held.bytes);
    if (!isOurs) return 'blocked';
    if (wanted === null || wanted === held.sha256) return 'here';
  }
  return isKept && wanted !== null ? 'toCopy' : 'toDownload';
}

/** The plan in a sentence, such as "3 reports: 1 already here, 2 to download, about 61 MB, 2 downloads on your key." */
export function planSentence({ here, noFile, toCopy, toDownload, blocked, ...sizes }: Plan): string {
  const total = [here, noFile, toCopy, toDownload, blocked].reduce((sum, group) => sum + group.length, 0);
  const parts = [
    counted(here, 'already here'),
    counted(noFile, 'without a file'),
    counted(
      blocked,
      blocked.length === 1 ? 'kept from its place by another file' : 'kept from their place by other files',
    ),
    counted(toCopy, 'to copy from this machine'),
    counted(toDownload, 'to download'),
    toDownload.length > 0 ? sizeOf(sizes.bytesKnown, sizes.bytesUnknown, toDownload.length) : '',
    toDownload.length > 0 ? `${plural(sizes.links, 'download')} on your key` : '',
  ].filter((part) => part !== '');
  return `${plural(total, 'report')}: ${parts.join(', ') || 'nothing to do'}.`;
}

function counted(ids: readonly number[], words: string): string {
  return ids.length > 0 ? `${ids.length} ${words}` : '';
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

function sizeOf(known: number, unknown: number, count: number): string {
  if (unknown === count) return 'size unknown';
  return unknown === 0 ? `about ${byteSize(known)}` : `at least ${byteSize(known)}`;
}
