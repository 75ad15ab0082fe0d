import * as vscode from 'vscode';
import type { ContextKeyTypes } from './contributions.ts';

const set = new Map<string, unknown>();

/**
 * Sets a context key that menus and welcome texts look at. Nobody else sets ours, so that what it has already asks the
 * editor nothing: trees set theirs whenever they are read.
 */
export async function setContextKey<K extends keyof ContextKeyTypes>(key: K, value: ContextKeyTypes[K]): Promise<void> {
  if (set.has(key) && set.get(key) === value) return;
  set.set(key, value);
  await vscode.commands.executeCommand('setContext', key, value);
}
