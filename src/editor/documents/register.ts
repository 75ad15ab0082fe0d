import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { once } from '../../base/once.ts';
import { registerCommands } from '../common/commands.ts';
import type { InsertionKind, InsertionPlace } from '../common/insertion.ts';
import type { Log } from '../common/log.ts';
import { reportsMime } from '../common/treeDrag.ts';
import type { DocumentPorts } from './ports.ts';
import { RecentDocuments } from './recentDocuments.ts';

export interface DocumentsApi extends Disposable {
  /** The place in what a person works in, or in what they choose; undefined when they leave. */
  insertionPlace(kind: InsertionKind): Promise<InsertionPlace | undefined>;
  /** Below the line, or the cell, that something is dropped on. */
  placeAt(document: vscode.TextDocument, position: vscode.Position, kind: InsertionKind): Promise<InsertionPlace>;
}

/** Insert into Notebook, drops into documents, Export Reports…, Copy Citation…, and links to reports. */
export function registerDocuments(log: Log, ports: () => Promise<DocumentPorts>): DocumentsApi {
  const store = new DisposableStore();
  const recent = store.add(new RecentDocuments());
  const documents = once(async () => store.add((await import('./commands.ts')).openDocuments(await ports(), recent)));
  store.add(
    registerCommands(['insertIntoNotebook', 'exportReports', 'copyCitation', 'copyLink'], log, () => documents.get()),
  );
  store.add(
    vscode.languages.registerDocumentDropEditProvider(
      ['python', 'r', 'markdown', 'plaintext', { notebookType: '*' }],
      { provideDocumentDropEdits: async (...args) => (await documents.get()).drops.provideDocumentDropEdits(...args) },
      { dropMimeTypes: [reportsMime] },
    ),
  );
  store.add(vscode.window.registerUriHandler({ handleUri: async (uri) => (await documents.get()).openLink(uri) }));
  return {
    insertionPlace: async (kind) => (await documents.get()).insertionPlace(kind),
    placeAt: async (...at) => (await documents.get()).placeAt(...at),
    dispose: () => store.dispose(),
  };
}
