import { dayOf, type PageStore, type StoredPdf } from './pages.ts';
import type { KeptPdfs } from './search.ts';
import type { CoveredPdf, HerePdf, PauseReason, ReadFailure, TextCoverage } from './textIndex.ts';

/** A PDF of this window, and what is known of the bytes of its file. */
export interface HereEntry {
  pdf: HerePdf;
  /** Of its bytes, null as long as they have not been hashed. */
  sha256: string | null;
  /** Why they could not be. */
  failure: ReadFailure | null;
}

export type EntryState =
  | { readonly kind: 'kept'; readonly pdf: StoredPdf; readonly isHashed: boolean }
  | { readonly kind: 'failed'; readonly reason: ReadFailure }
  | { readonly kind: 'waiting' };

/** The PDFs that are here for one window. */
export class HerePdfs {
  readonly #store: PageStore;
  readonly #kept: KeptPdfs;
  #entries = new Map<string, HereEntry>();
  #version = 0;

  constructor(store: PageStore, kept: KeptPdfs) {
    this.#store = store;
    this.#kept = kept;
  }

  /** Another one whenever something else is here or became known of it. */
  get version(): number {
    return this.#version;
  }

  get entries(): Iterable<HereEntry> {
    return this.#entries.values();
  }

  has(entry: HereEntry): boolean {
    return this.#entries.get(entry.pdf.path) === entry;
  }

  /** What is here from now on. What is known of a file holds as long as its size and time stay the same. */
  set(pdfs: readonly HerePdf[]): void {
    const entries = new Map<string, HereEntry>();
    for (const given of pdfs) {
      const pdf = { ...given, sha256: given.sha256.toLowerCase(), day: dayOf(given.day) };
      const held = this.#entries.get(pdf.path);
      if (held?.pdf.bytes === pdf.bytes && held.pdf.mtimeMs === pdf.mtimeMs) {
        held.pdf = pdf;
        entries.set(pdf.path, held);
      } else entries.set(pdf.path, { pdf, ...this.#knownOf(pdf) });
    }
    this.#entries = entries;
    this.#version++;
    const hashes = [...entries.values()].map(({ pdf, sha256 }) => sha256 ?? pdf.sha256);
    this.#store.see([...entries.keys()], new Set(hashes));
  }

  #knownOf(pdf: HerePdf): Pick<HereEntry, 'sha256' | 'failure'> {
    const content = this.#store.contentOf(pdf);
    return {
      sha256: content && 'sha256' in content ? content.sha256 : null,
      failure: content && 'failure' in content ? content.failure : null,
    };
  }

  /** Looks once more what is known of a file: another window may have read it. */
  lookAgain(entry: HereEntry): void {
    const { sha256, failure } = this.#knownOf(entry.pdf);
    if (sha256 !== null || failure !== null) this.know(entry, sha256, failure);
  }

  know(entry: HereEntry, sha256: string | null, failure: ReadFailure | null): void {
    entry.sha256 = sha256;
    entry.failure = failure;
    this.#version++;
  }

  /** What is kept of an entry's bytes; as long as they have not been hashed, of those that they are claimed to be. */
  state({ pdf, sha256, failure }: HereEntry): EntryState {
    const kept = this.#kept.get(sha256 ?? pdf.sha256);
    const isHashed = sha256 !== null;
    if (kept && (isHashed || (kept.bytes === pdf.bytes && failure === null))) {
      if (kept.state === 'text' || kept.state === 'without-text') return { kind: 'kept', pdf: kept, isHashed };
      return { kind: 'failed', reason: kept.state };
    }
    if (failure !== null) return { kind: 'failed', reason: failure };
    return isHashed && sha256 !== pdf.sha256 ? { kind: 'failed', reason: 'changed' } : { kind: 'waiting' };
  }

  /** How many can be searched, each counted once by its hash. */
  coverage(among: ReadonlySet<string> | null): Omit<TextCoverage, 'reading' | 'paused'> {
    const lists = {
      withoutText: [] as CoveredPdf[],
      failed: [] as (CoveredPdf & { reason: ReadFailure })[],
      waiting: [] as CoveredPdf[],
      partly: [] as (CoveredPdf & { damaged: readonly number[]; left: number })[],
    };
    let searchable = 0;
    const byHash = this.#byHash(among);
    for (const [sha256, path] of this.#changed(byHash, among))
      lists.failed.push({ path, sha256, pages: null, reason: 'changed' });
    for (const [sha256, entry] of byHash) {
      const { path } = entry.pdf;
      const state = this.state(entry);
      if (state.kind === 'waiting') lists.waiting.push({ path, sha256, pages: null });
      else if (state.kind === 'failed') lists.failed.push({ path, sha256, pages: null, reason: state.reason });
      else {
        const { pages, damaged, left } = state.pdf;
        if (state.pdf.state === 'without-text') lists.withoutText.push({ path, sha256, pages });
        else searchable++;
        if (damaged.length > 0 || left > 0) lists.partly.push({ path, sha256, pages, damaged, left });
      }
    }
    const { withoutText, failed, waiting } = lists;
    return { searchable, withoutText: withoutText.length, failed: failed.length, waiting: waiting.length, lists };
  }

  /** One entry for each hash; of several the one that is kept. */
  #byHash(among: ReadonlySet<string> | null): Map<string, HereEntry> {
    const byHash = new Map<string, HereEntry>();
    for (const entry of this.#entries.values()) {
      const sha256 = entry.sha256 ?? entry.pdf.sha256;
      if (among && !among.has(sha256)) continue;
      const other = byHash.get(sha256);
      if (!other || this.state(other).kind !== 'kept') byHash.set(sha256, entry);
    }
    return byHash;
  }

  /** By the hash that is claimed for it: the path of a file that has other bytes, where none has those. */
  #changed(byHash: ReadonlyMap<string, HereEntry>, among: ReadonlySet<string> | null): Map<string, string> {
    const changed = new Map<string, string>();
    for (const { pdf, sha256 } of this.#entries.values()) {
      if (sha256 === null || sha256 === pdf.sha256 || byHash.has(pdf.sha256)) continue;
      if (!among || among.has(pdf.sha256)) changed.set(pdf.sha256, pdf.path);
    }
    return changed;
  }

  /** Hashes of what can be searched here. */
  hashes(): Set<string> {
    const hashes = new Set<string>();
    for (const entry of this.#entries.values()) {
      const state = this.state(entry);
      if (state.kind === 'kept') hashes.add(state.pdf.sha256);
    }
    return hashes;
  }
}

/** What keeps PDFs from being read unasked; what a person did comes first. */
export function pauseReason(isPaused: boolean, isEnabled: boolean, onBattery: boolean): PauseReason | null {
  if (!isEnabled) return 'off';
  if (isPaused) return 'person';
  return onBattery ? 'battery' : null;
}
