import * as vscode from 'vscode';
import type { ContextKeyTypes } from './contributions.ts';

/** Sets a context key that menus and welcome texts look at. */
export async function setContextKey<K extends keyof ContextKeyTypes>(key: K, value: ContextKeyTypes[K]): Promise<void> {
  await vscode.commands.executeCommand('setContext', key, value);
}
