import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { checkApiKey } from '../../api/apiKey.ts';
import { checkBaseUrl } from '../../api/baseUrl.ts';
import type { Entitlements } from '../../api/schemas/entitlements.ts';
import { ApiError } from '../../api/transport/errors.ts';
import type { Secret } from '../../base/secret.ts';
import { plainText } from '../../base/words.ts';
import { applicationSetting } from '../common/configValue.ts';
import { notificationText } from '../common/plainText.ts';
import { problemText } from '../common/showProblem.ts';
import { ask } from './ask.ts';
import type { StoredConnection } from './connectionStore.ts';

/** What signing in needs: a way to try a key before anything is stored. */
export interface SignInPorts {
  /** The connection whose key was refused, to start from. */
  readonly previousBaseUrl: string | undefined;
  tryKey(baseUrl: string, key: Secret, signal: AbortSignal): Promise<Entitlements>;
  /** Stores the connection and makes it the one in use; tells whether the keyring kept it. */
  accept(connection: StoredConnection): Promise<{ kept: boolean }>;
}

/**
 * Asks for the base URL, then the key, and stores neither before `/entitlements` has answered for them. Any problem is
 * told in the box, so that the user can mend it there.
 */
export async function signIn(ports: SignInPorts): Promise<boolean> {
  const baseUrl = await ask({
    title: 'Sign In to Report Library',
    step: 1,
    totalSteps: 2,
    prompt: 'The base URL of the service. Your licence letter names it.',
    placeholder: 'https://reports.example.com/api/v2',
    value: ports.previousBaseUrl ?? applicationSetting('reportLibrary.baseUrl'),
    async submit(value) {
      const checked = checkBaseUrl(value);
      if (checked.ok) return { done: checked.baseUrl };
      return {
        problem: checked.suggestion === null ? checked.reason : `${checked.reason} Did you mean ${checked.suggestion}?`,
      };
    },
  });
  if (baseUrl === undefined) return false;

  const signedIn = await ask({
    title: 'Sign In to Report Library',
    step: 2,
    totalSteps: 2,
    prompt: `Your API key for ${new URL(baseUrl).host}. It is kept in the editor's secret storage and sent nowhere else.`,
    placeholder: 'API key',
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
  const name = plainText(entitlements.client_name ?? new URL(baseUrl).host);
  const { kept } = await ports.accept({ id: randomUUID(), name, baseUrl, key });
  void vscode.window.showInformationMessage(`Signed in: ${describe(entitlements, name)}`);
  if (!kept) tellKeyringLost();
  return true;
}

function describe(entitlements: Entitlements, name: string): string {
  const parts = [notificationText(name)];
  const { watchlist_size: companies, fcyear_start: first, fcyear_end: last } = entitlements;
  if (companies !== null) parts.push(companies === 1 ? '1 company' : `${companies.toLocaleString()} companies`);
  if (first !== null) parts.push(last === null ? `fiscal years from ${first}` : `fiscal years ${first} to ${last}`);
  return `${parts.join(', ')}.`;
}

function tellKeyringLost(): void {
  void vscode.window.showWarningMessage(
    "The editor's secret storage did not keep your key, usually because no keyring is running. " +
      'You are signed in for this session only; you will be asked again after a restart.',
  );
}
