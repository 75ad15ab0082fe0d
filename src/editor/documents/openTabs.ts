import * as vscode from 'vscode';
import type { RecentDocuments } from './recentDocuments.ts';

/** Documents that a person writes in, as opposed to output and read-only views. */
const writable = new Set(['file', 'untitled', 'vscode-remote']);

/** A notebook or text that is open, whatever covers it now. */
export interface OpenDocument {
  readonly kind: 'notebook' | 'text';
  readonly uri: vscode.Uri;
  readonly viewColumn: vscode.ViewColumn;
}

/** The one that was active last since the window started, if it is still open. */
export function lastOpen(recent: RecentDocuments): OpenDocument | undefined {
  const [first] = openTabs(recent);
  return first && recent.names().includes(first.uri.toString()) ? first : undefined;
}

/** All that are open, each once, the one that was active last first. */
export function openTabs(recent: RecentDocuments): OpenDocument[] {
  const found = new Map<string, OpenDocument>();
  for (const { viewColumn, tabs } of vscode.window.tabGroups.all) {
    for (const { input } of tabs) {
      const isNotebook = input instanceof vscode.TabInputNotebook;
      if (!isNotebook && !(input instanceof vscode.TabInputText && writable.has(input.uri.scheme))) continue;
      found.set(input.uri.toString(), { kind: isNotebook ? 'notebook' : 'text', uri: input.uri, viewColumn });
    }
  }
  const names = recent.names();
  const rank = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length);
  return [...found].sort(([a], [b]) => rank(a) - rank(b)).map(([, document]) => document);
}
