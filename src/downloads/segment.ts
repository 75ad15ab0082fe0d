import { createHash } from 'node:crypto';
import filenamify from 'filenamify';
import { once } from '../base/once.ts';

/** Longest name of a file or folder that we make, in UTF-8 bytes. */
export const segmentBytes = 80;

/** Folders that tools obey: nothing of ours is ever written below one, whatever its spelling. */
const obeyedFolders = new Set(['.git', '.vscode', '.devcontainer', 'git~1', 'vscode~1', 'devcon~1']);

const invisible = /[\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

/**
 * Makes any text the name of one file or folder that Windows, macOS and Linux all accept and read as the same name:
 * NFC, no reserved character or device name, no invisible or direction-changing character, no leading dot, no trailing
 * dot or space, at most `limit` bytes with the extension. A name that had to be cut ends in a short hash of the whole.
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
    .replace(/[. ]+$/, '');
  const name = deviceName.test(trimmed) ? `_${trimmed}` : trimmed || '_';
  if (Buffer.byteLength(name + extension) <= limit) return name + extension;
  const suffix = `-${createHash('sha256').update(text).digest('hex').slice(0, 8)}${extension}`;
  return (cut(name, limit - Buffer.byteLength(suffix)) || '_') + suffix;
}

const deviceName = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[\d¹²³]) *(?:\.|$)/i;

const segmenter = once(() => new Intl.Segmenter('und'));

/** As many whole characters, as a person counts them, as fit into `bytes`. */
function cut(text: string, bytes: number): string {
  let kept = '';
  let used = 0;
  for (const { segment } of segmenter.get().segment(text)) {
    used += Buffer.byteLength(segment);
    if (used > bytes) break;
    kept += segment;
  }
  return kept.replace(/[. ]+$/, '');
}

/** Two names with the same key are one file on some file system: compared NFC and case-folded on every system. */
export function foldedName(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** True for a folder name that tools obey, such as `.git`, in any spelling some file system takes for it. */
export function isObeyedFolder(name: string): boolean {
  const folded = foldedName(name.replace(invisible, ''));
  return obeyedFolders.has(folded.replace(/:.*$/s, '').replace(/[. ]+$/, ''));
}
