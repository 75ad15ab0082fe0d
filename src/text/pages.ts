import zlib from 'node:zlib';
import * as z from 'zod/mini';
import { isObject } from '../base/json.ts';
import type { SqliteConnection, SqlRow } from '../machine/sqliteFile.ts';
import { TextError, textError } from './textError.ts';
import type { PageText, PdfLacks, ReadFailure, ReadPdf } from './textIndex.ts';
import { indexed } from './words.ts';

export interface StoredPdf extends PdfLacks {
  readonly id: number;
  readonly sha256: string;
  /** Days since 1970. */
  readonly day: number;
  readonly state: 'text' | 'without-text' | ReadFailure;
  readonly pages: number;
  readonly bytes: number;
}

export type PreparedPdf = Awaited<ReturnType<typeof prepare>>;

/** The text of a page as a row of a table. It comes from a PDF, and is untrusted. */
export interface PageRow {
  readonly report_key: string;
  /** From 1. */
  readonly page: number;
  /** What the PDF prints as its number; null where it names none. */
  readonly label: string | null;
  readonly text: string;
  /** Of the PDF. */
  readonly sha256: string;
}

/** Prepares a PDF's text for the index; lets the thread do other work whenever `breathe` says so. */
export async function prepare(
  read: ReadPdf & { readonly sha256: string; readonly bytes: number },
  breathe: () => Promise<void> | undefined,
) {
  const given = read.kind === 'read' ? read.pages : [];
  const pages: ReturnType<typeof indexed>[] = [];
  const blocks: Uint8Array[] = [];
  for (let at = 0; at < given.length; at += pagesOfBlock) {
    await breathe();
    const block = given.slice(at, at + pagesOfBlock);
    pages.push(...block.map(({ text }) => indexed(text)));
    blocks.push(writeBlock(block));
  }
  return { read, pages, blocks };
}

/** What a PDF lacks, as JSON for its row; null for nothing. */
function lacksText(read: Exclude<ReadPdf, { kind: 'failed' }>): string | null {
  const { unreadable = [], attachments = [] } = read;
  const { damaged, left, pages } = read.kind === 'read' ? read : { damaged: [], left: 0, pages: [] };
  const known = new Set([...damaged, ...unreadable]);
  const empty = pages.filter(({ text }, at) => text === '' && !known.has(at + 1)).length;
  const lacks = Object.entries({ damaged, left, empty, unreadable, attachments });
  const some = lacks.filter(([, lack]) => (typeof lack === 'number' ? lack > 0 : lack.length > 0));
  return some.length > 0 ? JSON.stringify(Object.fromEntries(some)) : null;
}

/** A file as it was on disk when it was read. */
export interface SeenFile {
  readonly path: string;
  readonly bytes: number;
  readonly mtimeMs: number;
}

/** The hash of a file's bytes, or why it couldn't be hashed. */
export type FileContent = { readonly sha256: string } | { readonly failure: ReadFailure };

/** Limits that let a page's row id hold its day, PDF and number as a safe integer. */
const pageNumbers = 2 ** 15;
export const pdfNumbers = 2 ** 22;
const dayNumbers = 2 ** 16;
const blocksOfPdf = 4096;
/** Fewer pages compress worse, more take longer to read for one snippet. */
const pagesOfBlock = 16;

/**
 * The rows of a PDF's pages are above this one, those of newer PDFs below older ones: newest first is the order of
 * rows, and SQLite leaps faster in that direction.
 */
export const firstRow = ({ day, id }: Pick<StoredPdf, 'day' | 'id'>): number =>
  ((dayNumbers - 1 - day) * pdfNumbers + (pdfNumbers - 1 - id)) * pageNumbers;

/** The day that rows can have which is nearest to one that was given. */
export const dayOf = (given: number): number => Math.min(Math.max(Math.floor(given) || 0, 0), dayNumbers - 1);

/** The first row of the PDF that a page's row belongs to, and the page's number. */
export function placeOfRow(row: number): { readonly first: number; readonly page: number } {
  const page = row % pageNumbers;
  return { first: row - page, page };
}

/** Rows of a PDF's pages, its first row included. */
export const rowsOfPdf = pageNumbers;

export const hexOf = (hash: unknown) => (hash instanceof Uint8Array ? Buffer.from(hash).toString('hex') : '');
export const bytesOf = (sha256: string) => Buffer.from(sha256, 'hex');
const sha256Form = /^[0-9a-f]{64}$/;

const pdfColumns = 'id, sha256, day, state, pages, bytes, lacks';

function readPdfRow([id, sha256, day, state, pages, bytes, lacks]: SqlRow): StoredPdf {
  return {
    ...{ id: Number(id), sha256: hexOf(sha256), day: Number(day), state: String(state) as StoredPdf['state'] },
    ...{ pages: Number(pages), bytes: Number(bytes), ...lacksOf(lacks) },
  };
}

/** What a PDF's row says that is not searched of it. */
export function lacksOf(lacks: unknown): PdfLacks {
  const read: unknown = typeof lacks === 'string' ? JSON.parse(lacks) : null;
  return { damaged: [], left: 0, empty: 0, unreadable: [], attachments: [], ...(isObject(read) ? read : {}) };
}

/** The texts of all PDFs, for all windows: synchronous, one caller. Every call may throw a `TextError`. */
export class PageStore {
  readonly db: SqliteConnection;
  /** Tells this file from the next at the same path; null in memory. */
  readonly inode: bigint | null;
  /** The block that was read last: hits of one PDF are often near one another. No other block ever has its id. */
  #block: { readonly id: number; readonly pages: readonly PageText[] } | null = null;

  constructor(db: SqliteConnection, inode: bigint | null) {
    this.db = db;
    this.inode = inode;
  }

  /** Whether a person has paused reading, in whichever window. */
  get isPaused(): boolean {
    return this.db.number("SELECT value FROM meta WHERE name = 'paused'") === 1;
  }

  setPaused(paused: boolean): void {
    this.db.run("INSERT OR REPLACE INTO meta VALUES ('paused', ?)", paused ? 1 : 0);
  }

  pdf(sha256: string): StoredPdf | null {
    if (!sha256Form.test(sha256)) return null;
    const row = this.db.get(`SELECT ${pdfColumns} FROM docs WHERE sha256 = ?`, bytesOf(sha256));
    return row ? readPdfRow(row) : null;
  }

  /** All, or those of a condition. */
  pdfs(where = 'true'): StoredPdf[] {
    return this.db.all(`SELECT ${pdfColumns} FROM docs WHERE ${where} ORDER BY id`).map(readPdfRow);
  }

  /**
   * Keeps what was read of a PDF, all of it or nothing. One that is already here keeps what it has, unless that is a
   * failure. To be called inside a transaction.
   */
  keep({ read, pages, blocks }: PreparedPdf, givenDay: number): void {
    const held = this.pdf(read.sha256);
    if (held !== null) {
      if (held.state === 'text' || held.state === 'without-text' || read.kind === 'failed') return;
      this.#remove(held);
    }
    const day = dayOf(givenDay);
    const count = read.kind === 'read' ? read.pages.length : read.kind === 'without-text' ? read.pages : 0;
    const lacks = read.kind === 'failed' ? null : lacksText(read);
    const state = read.kind === 'read' ? 'text' : read.kind === 'failed' ? read.reason : read.kind;
    const id = this.db.run(
      'INSERT INTO docs(sha256, day, state, pages, bytes, lacks) VALUES (?, ?, ?, ?, ?, ?)',
      ...[bytesOf(read.sha256), day, state, count, read.bytes, lacks],
    );
    const first = firstRow({ id, day });
    for (const [at, { text, pairs }] of pages.entries()) {
      if (text === '' && pairs === '') continue;
      this.db.run('INSERT INTO pages(rowid, text, pairs) VALUES (?, ?, ?)', BigInt(first + at + 1), text, pairs);
    }
    for (const [at, body] of blocks.entries())
      this.db.run('INSERT INTO blocks(id, body) VALUES (?, ?)', id * blocksOfPdf + at, body);
  }

  /** A page of a PDF, from 1; null where there is none. */
  page({ id, pages }: Pick<StoredPdf, 'id' | 'pages'>, number: number): PageText | null {
    if (!Number.isInteger(number) || number < 1 || number > pages) return null;
    const at = number - 1;
    const block = id * blocksOfPdf + Math.floor(at / pagesOfBlock);
    if (this.#block?.id !== block) {
      const body = this.db.get('SELECT body FROM blocks WHERE id = ?', block)?.[0];
      if (!(body instanceof Uint8Array)) return null;
      this.#block = { id: block, pages: readBlock(body) };
    }
    return this.#block.pages[at % pagesOfBlock] ?? null;
  }

  /** Forgets these PDFs, and which files they were. */
  forget(sha256s: readonly string[]): void {
    this.db.transaction(() => {
      for (const sha256 of sha256s) {
        const pdf = this.pdf(sha256);
        if (pdf === null) continue;
        this.#remove(pdf);
        this.db.run('DELETE FROM files WHERE sha256 = ?', bytesOf(sha256));
      }
    });
    this.#giveBack('PRAGMA incremental_vacuum');
  }

  /** Notes what a file's bytes were. To be called inside a transaction. */
  noteFile({ path, bytes, mtimeMs }: SeenFile, content: FileContent): void {
    const hash = 'sha256' in content ? bytesOf(content.sha256) : null;
    const failure = 'failure' in content ? content.failure : null;
    const sql = 'INSERT OR REPLACE INTO files(path, bytes, mtime, sha256, failure) VALUES (?, ?, ?, ?, ?)';
    this.db.run(sql, path, bytes, mtimeMs, hash, failure);
  }

  /** Forgets everything but who reads and whether that is paused, and gives its room back. */
  deleteAll(): void {
    this.db.transaction(() => {
      this.db.exec('DELETE FROM docs; DELETE FROM blocks; DELETE FROM files');
      this.db.exec("INSERT INTO pages(pages) VALUES ('delete-all')");
    });
    this.#giveBack('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  }

  #giveBack(sql: string): void {
    try {
      this.db.exec(sql);
    } catch (error) {
      // Another window is at work in it: what was deleted is gone, its room is used again.
      if (!(error instanceof TextError) || error.problem !== 'busy') throw error;
    }
  }

  /** Puts a little of the index in order; for when nothing else is to be done. False when all is. */
  tidy(): boolean {
    const before = this.db.number('SELECT total_changes()');
    this.db.exec("INSERT INTO pages(pages, rank) VALUES ('merge', 500)");
    // A merge that does nothing counts as one change.
    return this.db.number('SELECT total_changes()') - before > 1;
  }

  #remove(pdf: StoredPdf): void {
    const row = firstRow(pdf);
    // As integers: a number would be passed with a fraction, and the whole index would be scanned.
    this.db.run('DELETE FROM pages WHERE rowid BETWEEN ? AND ?', BigInt(row), BigInt(row + rowsOfPdf - 1));
    const block = pdf.id * blocksOfPdf;
    this.db.run('DELETE FROM blocks WHERE id BETWEEN ? AND ?', block, block + blocksOfPdf - 1);
    this.db.run('DELETE FROM docs WHERE id = ?', pdf.id);
  }

  close(): void {
    this.db.close();
  }
}

/** Level 15 takes a twentieth of the time that reading a page takes, and saves a tenth of the room of level 9. */
const compression = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 15 } };

const writeBlock = (pages: readonly PageText[]): Uint8Array =>
  zlib.zstdCompressSync(JSON.stringify(pages.map(({ label, text }) => [label, text])), compression);

const blockSchema = z.array(z.tuple([z.nullable(z.string()), z.string()]));

/** Throws `corrupt` where this is no block. */
function readBlock(body: Uint8Array): PageText[] {
  try {
    const pages = blockSchema.parse(JSON.parse(zlib.zstdDecompressSync(body).toString()));
    return pages.map(([label, text]) => ({ label, text }));
  } catch (error) {
    throw textError('corrupt', error);
  }
}
