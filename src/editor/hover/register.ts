import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { once } from '../../base/once.ts';
import type { Services } from '../../services.ts';
import type { Log } from '../common/log.ts';

const languages = ['python', 'markdown', 'csv', 'tsv', 'json', 'jsonc', 'r', 'plaintext'];

/**
 * Hovers, links and completions on what the library on this machine knows, in documents and notebook cells. Nothing is
 * loaded before the editor asks for the first of them.
 */
export function registerHover(services: Services, log: Log): Disposable {
  const made = once(async () => (await import('./providers.ts')).makeProviders(services, log));
  const { registerHoverProvider, registerDocumentLinkProvider, registerCompletionItemProvider } = vscode.languages;
  return vscode.Disposable.from(
    registerHoverProvider(languages, { provideHover: async (...asked) => (await made.get()).provideHover(...asked) }),
    registerDocumentLinkProvider(languages, {
      provideDocumentLinks: async (...asked) => (await made.get()).provideDocumentLinks(...asked),
    }),
    registerCompletionItemProvider(
      ['python', { notebookType: 'jupyter-notebook' }],
      { provideCompletionItems: async (...asked) => (await made.get()).provideCompletionItems(...asked) },
      '"',
      "'",
    ),
  );
}
