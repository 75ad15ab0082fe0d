import type * as vscode from 'vscode';
import { isAbortError } from '../../base/clock.ts';
import { LibraryError } from '../../library/libraryError.ts';
import type { Services } from '../../services.ts';
import type { Log } from '../common/log.ts';
import { abortable } from '../common/progress.ts';
import { resourceSetting } from '../common/settings.ts';
import { columnHover, completionsAt } from './columnHelp.ts';
import { identifierHover, knownLinks } from './identifierHover.ts';

/**
 * Makes the providers; each answer comes from this machine alone. No library is opened before an identifier is met, and
 * none that nobody has signed in to.
 */
export function makeProviders(services: Services, log: Log) {
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

  return {
    provideHover: (document, position, token) =>
      quietly(
        token,
        undefined,
        async (signal) =>
          (await identifierHover(services, document, position, signal)) ?? columnHover(document, position),
      ),
    provideDocumentLinks: (document, token) => quietly(token, [], (signal) => knownLinks(services, document, signal)),
    provideCompletionItems: (document, position, token, context) =>
      quietly(token, [], async () => completionsAt(document, position, context)),
  } satisfies vscode.HoverProvider & vscode.DocumentLinkProvider & vscode.CompletionItemProvider;
}
