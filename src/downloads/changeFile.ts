import { open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { l10n } from '../base/l10n.ts';
import { machineLeases } from '../machine/lease.ts';
import { DiskProblem, findFile, foldedName, hashOpenFile, onDisk, readFlags, systemCode } from './disk.ts';
import { type FileAt, requirePlain, Unfinished } from './publish.ts';

/** Largest text file that is read, in bytes. */
const maxTextBytes = 64 * 1024 ** 2;

/** How often a change is made again because a program that takes no lease wrote the file meanwhile. */
const maxAttempts = 20;

/** How a text file is encoded, with the mark at its beginning that is not part of its text. */
interface TextEncoding {
  readonly name: 'utf-8' | 'utf-16le' | 'utf-16be';
  readonly mark: string;
}

/** UTF-16 by its mark, or by the ASCII character that a JSON or CSV file begins with. */
function encodingOf([first, second]: Uint8Array): TextEncoding {
  if (first === 0xff && second === 0xfe) return { name: 'utf-16le', mark: '\ufeff' };
  if (first === 0xfe && second === 0xff) return { name: 'utf-16be', mark: '\ufeff' };
  if (first && second === 0) return { name: 'utf-16le', mark: '' };
  return { name: first === 0 && second ? 'utf-16be' : 'utf-8', mark: '' };
}

/**
 * The text of a file of UTF-8 or UTF-16. Other bytes are refused: written again, their characters would be lost.
 * @throws DiskProblem that names the file
 */
export function decodeUtf(bytes: Uint8Array, path: string): { readonly text: string; readonly encoding: TextEncoding } {
  const encoding = encodingOf(bytes);
  try {
    // Parsers strip the mark of UTF-8 themselves.
    const text = new TextDecoder(encoding.name, { fatal: true, ignoreBOM: encoding.name === 'utf-8' }).decode(bytes);
    return { text, encoding };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const words = l10n.t('{0} isn’t UTF-8 text. Save it as UTF-8 in an editor, then try again.', path);
    throw new DiskProblem('in-the-way', words);
  }
}

function encodeText(text: string, { name, mark }: TextEncoding): string | Uint8Array {
  if (name === 'utf-8') return text;
  const bytes = Buffer.from(mark + text, 'utf16le');
  return name === 'utf-16le' ? bytes : bytes.swap16();
}

/** Reads a text file at a guarded place; undefined when there is none. @throws DiskProblem */
export async function readText(at: FileAt): Promise<string | undefined> {
  return (await readWithHash(at))?.text;
}

interface TextFile extends ReturnType<typeof decodeUtf> {
  readonly sha256: string;
}

function readWithHash(at: FileAt): Promise<TextFile | undefined> {
  return onDisk(async () => {
    const path = await findFile(at.root, at.path);
    if (path === undefined) return undefined;
    try {
      if ((await requirePlain(path)).size > maxTextBytes)
        throw new DiskProblem(
          'in-the-way',
          l10n.t('{0} is larger than 64 MB, so it is not read. Move it away, then try again.', path),
        );
      await using file = await open(path, readFlags);
      const { sha256 } = await hashOpenFile(file);
      return { ...decodeUtf(await file.readFile(), path), sha256 };
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  });
}

/** Gives the new text, or undefined to leave the file as it is; gets undefined when there is no file. */
export type TextChange = (text: string | undefined) => string | undefined | Promise<string | undefined>;

/**
 * Changes a text file as a whole and keeps its encoding, from reading to renaming under a lease on its real path: no
 * process of this user loses another's change, and a reader sees the old text or the new one. `change` runs again when
 * a program that takes no lease wrote the file in between.
 * @param signal ends the waiting for other processes
 * @throws DiskProblem, or what `change` throws; the file is as it was then
 */
export async function changeFile(at: FileAt, change: TextChange, signal?: AbortSignal): Promise<void> {
  const path = await onDisk(async () => join(await realpath(at.root), at.path));
  await machineLeases().lease(`file ${foldedName(path)}`, (held) => readAndReplace(at, change, held), { signal });
}

async function readAndReplace(at: FileAt, change: TextChange, held: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const before = await readWithHash(at);
    const next = await change(before?.text);
    if (next === undefined || next === before?.text) return;
    await using unfinished = await Unfinished.begin(at, systemClock);
    try {
      await onDisk(() => unfinished.file.writeFile(before ? encodeText(next, before.encoding) : next));
      held.throwIfAborted();
      // Only the text that was read may be replaced.
      await unfinished.publish(before ? [before.sha256] : []);
      return;
    } catch (error) {
      if (!(error instanceof DiskProblem && error.code === 'foreign') || attempt === maxAttempts) throw error;
    }
  }
}
