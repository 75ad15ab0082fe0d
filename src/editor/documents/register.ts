import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { once } from '../../base/once.ts';
import { registerCommands } from '../common/commands.ts';
import type { Log } from '../common/log.ts';
import { reportsMime } from '../common/treeDrag.ts';
import type { DocumentPorts } from './ports.ts';
import { RecentDocuments } from './recentDocuments.ts';

/** Insert into Notebook, drops into documents, Export Reports…, Copy Citation…, and links to reports. */
export function registerDocuments(log: Log, ports: () => Promise<DocumentPorts>): Disposable {
  const store = new DisposableStore();
  const recent = store.add(new RecentDocuments());
  const documents = once(async () => store.add((await import('./commands.ts')).openDocuments(await ports(), recent)));
  store.add(
    registerCommands(['insertIntoNotebook', 'exportReports', 'copyCitation', 'copyLink'], log, () => documents.get()),
  );
  store.add(
    vscode.languages.registerDocumentDropEditProvider(
      ['python', 'r', 'julia', 'markdown', 'plaintext', { notebookType: '*' }],
      { provideDocumentDropEdits: async (...args) => (await documents.get()).drops.provideDocumentDropEdits(...args) },
      { dropMimeTypes: [reportsMime] },
    ),
  );
  store.add(vscode.window.registerUriHandler({ handleUri: async (uri) => (await documents.get()).openLink(uri) }));
  return store;
}
