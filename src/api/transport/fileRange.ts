import { type Headers, header } from './headers.ts';

/** What is here already of a file whose rest is asked for. */
export interface Resume {
  /** Bytes that are here: the first one that is asked for. Above 0. */
  readonly from: number;
  /** The strong entity tag that the bytes came with. With it the server sends the whole of a file that changed. */
  readonly tag?: string | undefined;
}

/** Which part of a file comes. */
export interface FilePart {
  /** Where in the file the body begins: 0, or what was asked for when the server honours it. */
  readonly start: number;
  /** Bytes of the whole file, if announced. */
  readonly total: number | null;
  /** The file's strong entity tag, if it has one; weak ones say nothing about bytes. */
  readonly tag: string | undefined;
}

/** The headers that ask for the rest of a file. */
export function rangeHeaders(resume: Resume | undefined): Record<string, string> {
  if (!resume) return {};
  return { range: `bytes=${resume.from}-`, ...(resume.tag !== undefined && { 'if-range': resume.tag }) };
}

/**
 * Which part of the file an answer brings; undefined for a status that brings none, and for a partial answer that was
 * not asked for, begins elsewhere, contradicts itself or is of another version of the file.
 */
export function partOf(
  status: number,
  headers: Headers,
  contentLength: number | null,
  resume: Resume | undefined,
): FilePart | undefined {
  const tag = strongTag(header(headers, 'etag'));
  if (status === 200) return { start: 0, total: contentLength, tag };
  if (status !== 206 || !resume) return undefined;
  if (tag !== undefined && resume.tag !== undefined && tag !== resume.tag) return undefined;
  const match = /^\s*bytes\s+(\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)\s*$/i.exec(header(headers, 'content-range') ?? '');
  if (!match) return undefined;
  const [start, last, total] = [Number(match[1]), Number(match[2]), match[3] === '*' ? null : Number(match[3])];
  const length = last - start + 1;
  const fits = length > 0 && (contentLength ?? length) === length && (total === null || last < total);
  return fits && start === resume.from ? { start, total, tag: tag ?? resume.tag } : undefined;
}

function strongTag(value: string | undefined): string | undefined {
  const tag = value?.trim();
  return tag !== undefined && /^"[\x21\x23-\x7e]{1,256}"$/.test(tag) ? tag : undefined;
}
