import { join } from 'node:path';
import * as vscode from 'vscode';
import { changeFile, readText } from '../../files/changeFile.ts';
import { isThere } from '../../files/guard.ts';
import type { DownloadRoot } from './downloadRoot.ts';

const never = 'reportLibrary.ignoreOffer.never';
const offered = new Set<string>();

/** Offers, once for a Git repository, to keep the licensed PDFs out of version control. */
export async function offerIgnore({ uri, folder, isWorkspace }: DownloadRoot, state: vscode.Memento): Promise<void> {
  const name = uri.toString();
  if (!isWorkspace || offered.has(name) || state.get<readonly string[]>(never, []).includes(name)) return;
  const at = { root: uri.fsPath, path: '.gitignore' };
  if (!(await isThere(join(uri.fsPath, '.git'))) || withPdfsIgnored((await readText(at)) ?? '', folder) === undefined)
    return;
  offered.add(name);
  const add = vscode.l10n.t('Add to .gitignore');
  const stop = vscode.l10n.t('Don’t Ask Again');
  const text = vscode.l10n.t(
    'The PDFs in {0} are licensed. Keep them out of git? The lock file stays in and restores them.',
    folder,
  );
  const choice = await vscode.window.showInformationMessage(text, add, stop);
  if (choice === add) await changeFile(at, (before = '') => withPdfsIgnored(before, folder));
  if (choice === stop) await state.update(never, [...state.get<readonly string[]>(never, []), name]);
}

/** The text of a `.gitignore` that leaves out a folder's PDFs; undefined when nothing is to be added. */
export function withPdfsIgnored(text: string, folder: string): string | undefined {
  const line = `/${folder.split('/').map(escaped).join('/')}/**/*.pdf`;
  const lines = text.split(/\r?\n/).map((existing) => existing.trimEnd());
  const enough = [line, line.slice(1), '*.pdf', '**/*.pdf'];
  if (enough.some((pattern) => lines.includes(pattern))) return undefined;
  const end = /\r\n/.test(text) ? '\r\n' : '\n';
  const before = text === '' || text.endsWith('\n') ? text : text + end;
  return `${before}# Licensed PDFs; reports.lock.json restores them${end}${line}${end}`;
}

/** A name with what a pattern gives a meaning to made plain; a trailing blank would be lost. */
function escaped(name: string): string {
  return name.replace(/[\\*?[\]]/g, '\\$&').replace(/ $/, '\\ ');
}
