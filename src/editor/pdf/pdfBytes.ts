import type { BigIntStats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { longestRange } from '../../protocol/pdfPreview.ts';

/** Largest file that is shown where it can only be read whole, in bytes. */
const maxWhole = 512 * 1024 ** 2;

/** A file changed since it was opened; nothing of it may be joined with what was read before. */
export class FileChanged extends Error {
  constructor() {
    super(vscode.l10n.t('The file changed while it was being read.'));
  }
}

/** The bytes of a PDF as they were when it was opened, of which only those asked for are read. */
export interface PdfBytes {
  readonly length: number;
  /**
   * From `begin` on, up to but without `end`.
   * @throws FileChanged when the file is another one by now, or an error with words for a person
   */
  read(begin: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** Opens a PDF for reading. @throws Error with words for a person when it is gone, or too large to be read whole */
export async function openPdfBytes(file: vscode.Uri): Promise<PdfBytes> {
  const { length, read } = await explained(file.scheme === 'file' ? onDisk(file.fsPath) : elsewhere(file));
  return { length, read: (begin, end) => explained(read(begin, end)) };
}

async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ENOENT' && code !== 'FileNotFound') throw error;
    throw new Error(vscode.l10n.t('The file was moved or deleted. Download the report’s PDF again, then try again.'));
  }
}

/** The first bytes of a file; all of a small one. */
export function headOf(bytes: PdfBytes): Promise<Uint8Array<ArrayBuffer>> {
  return bytes.read(0, bytes.length <= longestRange ? bytes.length : 64 * 1024);
}

/** Opens the file for each range: one that is held open can't be replaced on Windows. */
async function onDisk(path: string): Promise<PdfBytes> {
  // Some network drives number a file anew each time that it is opened.
  const stateOf = ({ size, mtimeNs }: BigIntStats) => [size, mtimeNs].join();
  const first = await stat(path, { bigint: true });
  return {
    length: Number(first.size),
    async read(begin, end) {
      await using handle = await open(path, 'r');
      const bytes = new Uint8Array(end - begin);
      for (let got = 0; got < bytes.length; ) {
        const { bytesRead } = await handle.read(bytes, got, bytes.length - got, begin + got);
        if (bytesRead === 0) throw new FileChanged();
        got += bytesRead;
      }
      if (stateOf(await handle.stat({ bigint: true })) !== stateOf(first)) throw new FileChanged();
      return bytes;
    },
  };
}

/** On a file system of another extension, which has no way to read a part. */
async function elsewhere(file: vscode.Uri): Promise<PdfBytes> {
  const { size } = await vscode.workspace.fs.stat(file);
  if (size > maxWhole) {
    throw new Error(
      vscode.l10n.t('This PDF is larger than 512 MB, which is too much for this preview. Open it in another viewer.'),
    );
  }
  const whole = await vscode.workspace.fs.readFile(file);
  // What is read is a Buffer; only a plain array, with nothing around its bytes, reaches the page as bytes.
  return { length: whole.length, read: async (begin, end) => new Uint8Array(whole.subarray(begin, end)) };
}
