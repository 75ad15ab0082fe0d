import type { SqlRow } from '../machine/sqliteFile.ts';
import { bytesOf, dayOf, hexOf, lacksOf, type PageStore, type SeenFile, type StoredPdf } from './pages.ts';
import type { CoveredPdf, HerePdf, PdfLacks, ReadFailure, TextCoverage } from './textIndex.ts';

/**
 * The files that one window sees, in tables of its own, and their states: by their own bytes once hashed, until then by
 * the bytes that they are claimed to have. What is known of a file holds while its size and time stay the same.
 */
const temporarySql = `
  CREATE TEMP TABLE here(
    path TEXT PRIMARY KEY, claimed BLOB NOT NULL, bytes INTEGER NOT NULL, mtime REAL NOT NULL, day INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX temp.hereByClaimed ON here(claimed);
  CREATE TEMP TABLE reports(sha256 BLOB PRIMARY KEY) WITHOUT ROWID;
  CREATE TEMP VIEW standing AS
    SELECT h.path, h.claimed, h.day, f.sha256 IS NOT NULL AS isHashed, ifnull(f.sha256, h.claimed) AS sha256,
      d.id, d.pages, d.lacks, ifnull(d.state IN ('text', 'without-text'), 0) AS isKept,
      CASE
        WHEN d.id IS NOT NULL THEN d.state
        WHEN f.failure IS NOT NULL THEN f.failure
        WHEN f.sha256 <> h.claimed THEN 'changed'
        ELSE 'waiting'
      END AS state
    FROM here h
    LEFT JOIN files f ON f.path = h.path AND f.bytes = h.bytes AND f.mtime = h.mtime
    LEFT JOIN docs d ON d.sha256 = ifnull(f.sha256, h.claimed)
      AND (f.sha256 IS NOT NULL OR (f.failure IS NULL AND d.bytes = h.bytes))
`;

/** One file for each hash, kept before others; a file with other bytes than claimed also by the claimed hash, last. */
const coverageSql = `
  WITH each AS (
    SELECT sha256, path, state, pages, lacks, isKept FROM standing
    UNION ALL SELECT claimed, path, 'changed', NULL, NULL, -1 FROM standing WHERE sha256 <> claimed
  )
  SELECT path, sha256, state, pages, lacks, max(2 * isKept + (state = 'waiting')) FROM each
  WHERE ?1 IS NULL OR sha256 IN (SELECT unhex(value) FROM json_each(?1))
  GROUP BY sha256
`;

/** A PDF of this window. Its `sha256` is the claimed one until it is hashed; `pages` is null until it is indexed. */
export type Standing = Readonly<ReturnType<typeof standingOf>>;

const columns = 'path, sha256, claimed, day, state, isHashed, pages';

function standingOf([path, sha256, claimed, day, state, isHashed, pages]: SqlRow) {
  return {
    ...{ path: String(path), sha256: hexOf(sha256), claimed: hexOf(claimed), day: Number(day) },
    ...{ state: String(state) as 'text' | 'without-text' | 'waiting' | ReadFailure, pages: numberOrNull(pages) },
    isHashed: isHashed === 1,
  };
}

const numberOrNull = (value: unknown) => (value === null ? null : Number(value));

/** One window's local PDFs. What other windows read shows at once. */
export class LocalPdfs {
  readonly #store: PageStore;

  constructor(store: PageStore) {
    this.#store = store;
    store.db.exec(temporarySql);
  }

  /** Replaces the list of local PDFs. */
  set(pdfs: readonly HerePdf[]): void {
    const { db } = this.#store;
    db.exec('DELETE FROM here');
    for (const { path, sha256, bytes, mtimeMs, day } of pdfs)
      db.run('INSERT OR REPLACE INTO here VALUES (?, ?, ?, ?, ?)', path, bytesOf(sha256), bytes, mtimeMs, dayOf(day));
  }

  /** Which hashes the library in use publishes. */
  setPublished(sha256s: readonly string[]): void {
    const { db } = this.#store;
    db.exec('DELETE FROM reports');
    const sql = 'INSERT OR IGNORE INTO reports SELECT unhex(value) FROM json_each(?) WHERE unhex(value) IS NOT NULL';
    db.run(sql, JSON.stringify(sha256s));
  }

  isPublished(sha256: string): boolean {
    return this.#store.db.get('SELECT 1 FROM reports WHERE sha256 = ?', bytesOf(sha256)) !== undefined;
  }

  /** The state of a file; undefined when it isn't in the list any more. */
  at(path: string): Standing | undefined {
    return this.#first('WHERE path = ?', path);
  }

  /** The file with these bytes, one that is kept before others. */
  of(sha256: string): Standing | undefined {
    const hash = bytesOf(sha256);
    // Nearly every file has the bytes claimed for it, and an index on those avoids a scan of all files.
    return (
      this.#first('WHERE claimed = ?1 AND sha256 = ?1 ORDER BY isKept DESC', hash) ??
      this.#first('WHERE sha256 = ?', hash)
    );
  }

  /** The newest unread file; then files believed to be known but not hashed. */
  next(): Standing | undefined {
    return this.#first("WHERE state = 'waiting' OR (isKept AND NOT isHashed) ORDER BY isKept, day DESC");
  }

  #first(where: string, ...values: (string | Uint8Array)[]): Standing | undefined {
    const row = this.#store.db.get(`SELECT ${columns} FROM standing ${where} LIMIT 1`, ...values);
    return row && standingOf(row);
  }

  /** A file turned out to have this size and time. */
  measured({ path, bytes, mtimeMs }: SeenFile): void {
    this.#store.db.run('UPDATE here SET bytes = ?, mtime = ? WHERE path = ?', bytes, mtimeMs, path);
  }

  /** The PDFs that may be found: local ones that a report of the library stands for. */
  findable(): StoredPdf[] {
    return this.#store.pdfs(
      "state = 'text' AND id IN (SELECT id FROM standing) AND sha256 IN (SELECT sha256 FROM reports)",
    );
  }

  /** How many can be searched, each counted once by its hash. */
  coverage(among: readonly string[] | null): Omit<TextCoverage, 'reading' | 'paused'> {
    const withoutText: (CoveredPdf & PdfLacks)[] = [];
    const failed: (CoveredPdf & { reason: ReadFailure })[] = [];
    const waiting: CoveredPdf[] = [];
    const partly: (CoveredPdf & PdfLacks)[] = [];
    let searchable = 0;
    for (const [path, hash, state, pages, lacks] of this.#store.db.all(coverageSql, among && JSON.stringify(among))) {
      const pdf = { path: String(path), sha256: hexOf(hash), pages: null };
      const read = { ...pdf, pages: numberOrNull(pages) };
      if (state === 'waiting') waiting.push(pdf);
      else if (state === 'without-text') withoutText.push({ ...read, ...lacksOf(lacks) });
      else if (state === 'text') searchable += 1;
      else failed.push({ ...pdf, reason: String(state) as ReadFailure });
      if (state === 'text' && lacks !== null) partly.push({ ...read, ...lacksOf(lacks) });
    }
    const counts = { withoutText: withoutText.length, failed: failed.length, waiting: waiting.length };
    return { searchable, ...counts, lists: { withoutText, failed, waiting, partly } };
  }
}
