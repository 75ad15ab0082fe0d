import * as vscode from 'vscode';
import type { Services } from '../../app/session.ts';
import { isAbortError } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { LibraryError } from '../../library/libraryError.ts';
import type { Log } from '../common/log.ts';
import { abortable } from '../common/progress.ts';
import { resourceSetting } from '../common/settings.ts';

const languages = ['python', 'markdown', 'csv', 'tsv', 'json', 'jsonc', 'r', 'plaintext'];

/**
 * Hovers, links and completions on what the library on this machine knows, in documents and notebook cells. No code is
 * loaded before the editor asks for the first, and no library is opened before an identifier is met.
 */
export function registerHover(services: Services, log: Log): Disposable {
  const [identifiers, columns] = [() => import('./identifierHover.ts'), () => import('./columnHelp.ts')];
  /** A failure that does not matter to the person now is not worth a message: it goes to the log. */
  async function quietly<T>(token: vscode.CancellationToken, none: T, work: (signal: AbortSignal) => Promise<T>) {
    if (!resourceSetting('reportLibrary.hover.enabled', undefined) || token.isCancellationRequested) return none;
    try {
      return await abortable(token, work);
    } catch (error) {
      if (isAbortError(error)) return none;
      if (!(error instanceof LibraryError)) throw error;
      log.warn(`Nothing can be shown in the editor: ${error.message}`);
      return none;
    }
  }
  const { registerHoverProvider, registerDocumentLinkProvider, registerCompletionItemProvider } = vscode.languages;
  return vscode.Disposable.from(
    registerHoverProvider(languages, {
      provideHover: (document, position, token) =>
        quietly(token, undefined, async (signal) => {
          const known = await (await identifiers()).identifierHover(services, document, position, signal);
          return known ?? (await columns()).columnHover(document, position);
        }),
    }),
    registerDocumentLinkProvider(languages, {
      provideDocumentLinks: (document, token) =>
        quietly(token, [], async (signal) => (await identifiers()).knownLinks(services, document, signal)),
    }),
    registerCompletionItemProvider(
      ['python', { notebookType: 'jupyter-notebook' }],
      {
        provideCompletionItems: (document, position, token, context) =>
          quietly(token, [], async () => (await columns()).completionsAt(document, position, context)),
      },
      '"',
      "'",
    ),
  );
}
