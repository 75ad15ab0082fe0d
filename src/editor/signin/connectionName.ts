import * as vscode from 'vscode';
import { plainText } from '../../base/words.ts';

const longest = 80;

/** What a connection is called until a person renames it: the licensee and the service's host, told apart from others. */
export function suggestedName(clientName: string | null, baseUrl: string, taken: readonly string[]): string {
  const { host } = new URL(baseUrl);
  const plain = plainText(clientName ?? '', longest);
  const name = plain === '' ? host : `${plain} · ${host}`;
  if (!taken.includes(name)) return name;
  for (let count = 2; ; count += 1) if (!taken.includes(`${name} ${count}`)) return `${name} ${count}`;
}

/** Why a name can not be given; undefined when it can. The Accounts menu tells accounts apart by name alone. */
export function nameProblem(name: string, taken: readonly string[]): string | undefined {
  const plain = plainText(name, longest);
  if (plain === '') return vscode.l10n.t('Type a name.');
  return taken.includes(plain) ? vscode.l10n.t('Another connection has that name.') : undefined;
}

/** A name as it is stored: one line, no invisible characters. */
export function tidyName(name: string): string {
  return plainText(name, longest);
}
