import { createHash } from 'node:crypto';
import filenamify from 'filenamify';
import { fiscalYearOf } from '../api/schemas/fields.ts';
import type { Report } from '../api/schemas/report.ts';
import { l10n } from '../base/l10n.ts';
import { once } from '../base/once.ts';
import { foldedName, invisible, isObeyedFolder } from '../files/guard.ts';

/** Longest name of a new file or folder, in UTF-8 bytes. */
const segmentBytes = 80;

/**
 * Turns any text into a name of at most `limit` bytes that Windows, macOS and Linux all accept and read alike. A
 * shortened name ends in a short hash of the text.
 */
export function safeSegment(text: string, extension = '', limit = segmentBytes): string {
  // A tilde could spell another file's short name on Windows; a lone surrogate is no text at all.
  const visible = text
    .toWellFormed()
    .replace(invisible, '')
    .replace(/[~\ufffd]/g, '_');
  const named = filenamify(visible, { replacement: '_', maxLength: Number.POSITIVE_INFINITY });
  const trimmed = named
    .normalize('NFC')
    .trim()
    .replace(/^\.+/, '_')
    .replace(/(?<![. ])[. ]+$/, '');
  const name = deviceName.test(trimmed) ? `_${trimmed}` : trimmed || '_';
  if (Buffer.byteLength(name + extension) <= limit) return name + extension;
  const suffix = `-${createHash('sha256').update(text).digest('hex').slice(0, 8)}${extension}`;
  return (cut(name, limit - Buffer.byteLength(suffix)) || '_') + suffix;
}

const deviceName = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[\d¹²³]) *(?:\.|$)/i;

const segmenter = once(() => new Intl.Segmenter('und'));

/** The whole characters, as a person counts them, that fit into `bytes`. */
function cut(text: string, bytes: number): string {
  let kept = '';
  let used = 0;
  for (const { segment } of segmenter.get().segment(text)) {
    used += Buffer.byteLength(segment);
    if (used > bytes) break;
    kept += segment;
  }
  return kept.replace(/(?<![. ])[. ]+$/, '');
}

/** Default of the setting `reportLibrary.downloads.path`. */
export const defaultTemplate = '{company_key}/{fiscal_year}/{report_key}.pdf';

/** Longest new path, the folder included, in UTF-16 units as Windows counts them. */
export const pathLength = 240;

const deepest = 8;
const extension = '.pdf';

/** The facts of a report that a path may contain. */
export type PathFacts = Pick<
  Report,
  | 'report_id'
  | 'report_key'
  | 'company_key'
  | 'company_name'
  | 'company_country'
  | 'company_sector'
  | 'report_type'
  | 'report_title'
  | 'report_year'
  | 'report_fcyear'
  | 'report_lang'
>;

const unknown = 'unknown';
const undated = 'undated';

/** The value of each placeholder in a path template. `fiscal_year` is the fiscal year; `cover_year` is not (RID-3). */
const placeholders = new Map<string, (report: PathFacts) => string>(
  Object.entries({
    company_key: (report) => report.company_key,
    company_name: (report) => report.company_name || unknown,
    country: (report) => report.company_country || unknown,
    sector: (report) => report.company_sector || unknown,
    fiscal_year: (report) => fiscalYearOf(report)?.toString() ?? undated,
    cover_year: (report) => (report.report_year ? report.report_year.toString() : undated),
    report_key: (report) => report.report_key,
    report_id: (report) => report.report_id.toString(),
    report_type: (report) => report.report_type || unknown,
    language: (report) => report.report_lang?.match(/\p{L}+/gu)?.join('-') || unknown,
    title: (report) => slug(report.report_title) || unknown,
  }),
);

const placeholder = /\{([^{}/\\]*)\}/g;

/** A sentence about what is wrong with a path template; undefined when nothing is. */
export function templateProblem(template: string): string | undefined {
  const unknownName = [...template.matchAll(placeholder)].find(([, name = '']) => !placeholders.has(name));
  if (unknownName)
    return l10n.t('{0} is not a placeholder. Known ones: {1}.', unknownName[0], [...placeholders.keys()].join(', '));
  if (!/\{report_(?:key|id)\}/.test(template)) return l10n.t('The path should contain {report_key} or {report_id}.');
  const parts = template.split(/[/\\]/);
  if (/^([/\\]|[a-z]:)/i.test(template)) return l10n.t('The path must not be absolute.');
  if (parts.some((part) => /^\.*$/.test(part.trim())))
    return l10n.t('The path must not contain empty parts, "." or "..".');
  if (parts.some((part) => part.startsWith('.'))) return l10n.t('Names in the path can’t start with a dot.');
  return parts.length > deepest ? l10n.t('The path must not be deeper than {0} names.', deepest) : undefined;
}

/** A sentence about what is wrong with a downloads folder of the workspace; undefined when nothing is. */
export function folderProblem(folder: string): string | undefined {
  const parts = folder.split(/[/\\]/);
  if (/^([/\\~]|[a-z]:)/i.test(folder))
    return l10n.t('The downloads folder must be inside the workspace, not absolute.');
  if (parts.some((part) => /^\.*$/.test(part.trim())))
    return l10n.t('The downloads folder must not contain "." or "..".');
  const obeyed = parts.find(isObeyedFolder);
  if (obeyed !== undefined) return l10n.t('The downloads folder can’t be in a folder that tools use.');
  return parts.every((part) => safeName(part))
    ? undefined
    : l10n.t('The name of the downloads folder isn’t allowed on some systems.');
}

function safeName(name: string): boolean {
  const bare = name.replace(/^\./, '');
  return safeSegment(bare, '', 255) === bare.normalize('NFC');
}

/** True for a relative path that we could have made. Paths of a lock are checked: anyone may have written it. */
export function isSafePath(path: string): boolean {
  const parts = path.split('/');
  return path.length <= 1024 && path.endsWith(extension) && parts.every((part) => safeSegment(part, '', 255) === part);
}

/**
 * The paths of one downloads folder's PDFs: safe on every system, and never outside the folder. A report keeps its path
 * (COM-1). A path that another report has gets the report id added.
 */
export class ReportPaths {
  readonly #paths = new Map<number, string>();
  readonly #owners = new Map<string, number>();
  readonly #template: string;
  readonly #room: number;

  /**
   * @param held paths of reports by id; unsafe ones are not kept
   * @param room most UTF-16 units a path may have: {@link pathLength} less the folder's own length
   */
  constructor(held: ReadonlyMap<number, string>, template = defaultTemplate, room = pathLength) {
    this.#template = template;
    this.#room = room;
    for (const [id, path] of held) if (isSafePath(path)) this.#keep(id, path);
  }

  /** @param formerId an id that a merge retired: its path becomes the report's (RID-1) */
  of(report: PathFacts, formerId = report.report_id): string {
    const id = report.report_id;
    const parts = fill(report, this.#template);
    const isFree = (path: string) => [undefined, id, formerId].includes(this.#owners.get(foldedName(path)));
    let path = this.#paths.get(id) ?? this.#paths.get(formerId) ?? withinRoom(parts, report, '', this.#room);
    for (let round = 1; !isFree(path); round++) {
      path = withinRoom(parts, report, round === 1 ? `-${id}` : `-${id}-${round}`, this.#room);
    }
    this.#keep(id, path);
    return path;
  }

  #keep(id: number, path: string): void {
    this.#paths.set(id, path);
    this.#owners.set(foldedName(path), id);
  }
}

/** The template's names filled with the report's values. A value never makes a folder. */
function fill(report: PathFacts, template: string): string[] {
  const parts = template.split(/[/\\]/).filter((part) => part.trim() !== '');
  const filledIn = (whole: string, name: string) => placeholders.get(name)?.(report) ?? whole;
  const filled = parts.slice(-deepest).map((part) => part.replace(placeholder, filledIn));
  return filled.length > 0 ? filled : [report.report_key];
}

/** Safe names that fit into the room: the limit of each name shrinks until the path fits. */
function withinRoom(parts: readonly string[], report: PathFacts, suffix: string, room: number): string {
  const folders = parts.slice(0, -1);
  const stem = (parts.at(-1) ?? '').replace(/\.pdf\s*$/i, '');
  for (const limit of [segmentBytes, 64, 48, 36]) {
    const name = safeSegment(stem, suffix + extension, limit);
    const path = [...folders.map((part) => safeSegment(part, '', limit)), name].join('/');
    if (path.length <= room) return path;
  }
  return safeSegment(report.report_id.toString(), suffix + extension);
}

/** A title as part of a file name: words joined by hyphens. */
function slug(title: string | null): string {
  const words = title
    ?.normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return words?.join('-') ?? '';
}
