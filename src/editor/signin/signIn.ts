import * as vscode from 'vscode';
import { checkApiKey, checkBaseUrl } from '../../api/credentials.ts';
import type { Entitlements } from '../../api/schemas/meta.ts';
import { ApiError } from '../../api/transport/errors.ts';
import type { Secret } from '../../base/secret.ts';
import { plainText } from '../../base/words.ts';
import { notificationText, problemText } from '../common/messages.ts';
import { applicationSetting } from '../common/settings.ts';
import { ask } from './ask.ts';
import { nameProblem, suggestedName, tidyName } from './connectionName.ts';
import type { StoredConnection } from './connectionStore.ts';
import { keyringNotices } from './keyring.ts';

/** A connection as it was entered; with the id of the one whose place it takes. */
export type EnteredConnection = Omit<StoredConnection, 'id'> & { readonly id?: string };

/** What signing in needs: a way to try a key before anything is stored. */
export interface SignInPorts {
  /** The address to start from. */
  readonly previousBaseUrl: string | undefined;
  /** Names that stored connections have. */
  readonly names: readonly string[];
  /** Whether a person chooses the name of a further connection. */
  readonly asksName: boolean;
  /** The stored connection that this one is: the same key again, or a new one for a service that refused the last. */
  replaces(baseUrl: string, key: Secret): StoredConnection | undefined;
  tryKey(baseUrl: string, key: Secret, signal: AbortSignal): Promise<Entitlements>;
  /** Stores the connection and makes it the one in use; tells whether the keyring kept it. */
  accept(connection: EnteredConnection): Promise<{ kept: boolean }>;
}

/**
 * Asks for the base URL, then the key, and stores neither before `/entitlements` has answered for them. Any problem is
 * told in the box, so that the user can mend it there.
 */
export async function signIn(ports: SignInPorts): Promise<boolean> {
  const totalSteps = ports.asksName ? 3 : 2;
  const baseUrl = await ask({
    title: vscode.l10n.t('Sign In to Report Library'),
    step: 1,
    totalSteps,
    prompt: vscode.l10n.t('The base URL of the service. Your licence letter names it.'),
    placeholder: 'https://reports.example.com/api/v2',
    value: ports.previousBaseUrl ?? applicationSetting('reportLibrary.baseUrl'),
    async submit(value) {
      const checked = checkBaseUrl(value);
      if (checked.ok) return { done: checked.baseUrl };
      return {
        problem:
          checked.suggestion === null
            ? checked.reason
            : vscode.l10n.t('{0} Did you mean {1}?', checked.reason, checked.suggestion),
      };
    },
  });
  if (baseUrl === undefined) return false;

  const signedIn = await ask({
    title: vscode.l10n.t('Sign In to Report Library'),
    step: 2,
    totalSteps,
    prompt: vscode.l10n.t(
      "Your API key for {0}. It is kept in the editor's secret storage and sent nowhere else.",
      new URL(baseUrl).host,
    ),
    placeholder: vscode.l10n.t('API key'),
    masked: true,
    async submit(value, signal) {
      const checked = checkApiKey(value);
      if (!checked.ok) return { problem: checked.reason };
      try {
        const entitlements = await ports.tryKey(baseUrl, checked.key, signal);
        return { done: { key: checked.key, entitlements } };
      } catch (error) {
        if (error instanceof ApiError) return { problem: problemText(error) };
        throw error;
      }
    },
  });
  if (!signedIn) return false;

  const { key, entitlements } = signedIn;
  const replaced = ports.replaces(baseUrl, key);
  const suggested = replaced?.name ?? suggestedName(entitlements.client_name, baseUrl, ports.names);
  const name = replaced || !ports.asksName ? suggested : await askForName(suggested, ports.names);
  if (name === undefined) return false;
  const { kept } = await ports.accept({ ...(replaced && { id: replaced.id }), name, baseUrl, key });
  const who = plainText(entitlements.client_name ?? new URL(baseUrl).host);
  void vscode.window.showInformationMessage(vscode.l10n.t('Signed in: {0}', describe(entitlements, who)));
  if (!kept) keyringNotices.notKept();
  return true;
}

function askForName(suggested: string, taken: readonly string[]): Promise<string | undefined> {
  return ask({
    title: vscode.l10n.t('Sign In to Report Library'),
    step: 3,
    totalSteps: 3,
    prompt: vscode.l10n.t('A name for this connection, to tell it from your others.'),
    placeholder: suggested,
    value: suggested,
    async submit(value) {
      const problem = nameProblem(value, taken);
      return problem === undefined ? { done: tidyName(value) } : { problem };
    },
  });
}

function describe(entitlements: Entitlements, name: string): string {
  const parts = [notificationText(name)];
  const { watchlist_size: companies, fcyear_start: first, fcyear_end: last } = entitlements;
  if (companies !== null)
    parts.push(
      companies === 1 ? vscode.l10n.t('1 company') : vscode.l10n.t('{0} companies', companies.toLocaleString()),
    );
  if (first !== null)
    parts.push(
      last === null
        ? vscode.l10n.t('fiscal years from {0}', first)
        : vscode.l10n.t('fiscal years {0} to {1}', first, last),
    );
  return `${parts.join(', ')}.`;
}
