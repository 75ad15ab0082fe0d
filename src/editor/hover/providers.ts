import type * as vscode from 'vscode';
import { isAbortError } from '../../base/clock.ts';
import { LibraryError } from '../../library/libraryError.ts';
import type { Services } from '../../services.ts';
import type { Log } from '../common/log.ts';
import { abortable } from '../common/messages.ts';
import { resourceSetting } from '../common/settings.ts';
import { columnHover, completionsAt, DocumentMentions } from './columnHelp.ts';
import { identifierHover } from './identifierHover.ts';
import { knownLinks } from './knownIdentifiers.ts';

/** What the editor asks for; each answer comes from this machine alone. */
interface Providers {
  hover(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined>;
  links(document: vscode.TextDocument, token: vscode.CancellationToken): Promise<vscode.DocumentLink[]>;
  completions(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
    context: vscode.CompletionContext,
  ): Promise<vscode.CompletionItem[]>;
}

/** Makes the providers. No library is opened before an identifier is met, and none that nobody has signed in to. */
export function makeProviders(services: Services, log: Log): Providers {
  const mentions = new DocumentMentions();
  const isOn = () => resourceSetting('reportLibrary.hover.enabled', undefined);

  /** What is of no use to the person right now is not worth a message: it goes to the log. */
  async function quietly<T>(token: vscode.CancellationToken, none: T, work: (signal: AbortSignal) => Promise<T>) {
    if (!isOn() || token.isCancellationRequested) return none;
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
    hover: (document, position, token) =>
      quietly(
        token,
        undefined,
        async (signal) =>
          (await identifierHover(services, document, position, signal)) ?? columnHover(mentions, document, position),
      ),
    links: (document, token) => quietly(token, [], (signal) => knownLinks(services, document, signal)),
    completions: (document, position, token, context) =>
      quietly(token, [], async () => completionsAt(mentions, document, position, context)),
  };
}
