import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { authenticationId } from '../common/contributions.ts';
import type { StoredConnection } from './connectionStore.ts';

/**
 * Stands where the editor expects a token. The key is handed to nobody: whatever another extension gets from the editor,
 * there is none in it.
 */
const noToken = 'none';

/**
 * The connections in the editor's Accounts menu, each with Sign Out. The menu asks for sessions without scopes;
 * extensions ask with some, or with none in a list, and get no session. The editor itself tells any extension that asks
 * the names of accounts; there is nothing else in them.
 */
export class Accounts implements vscode.AuthenticationProvider, Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(
    new vscode.EventEmitter<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>(),
  );
  readonly #remove: (id: string) => Promise<void>;
  #shown: readonly vscode.AuthenticationSession[] = [];

  readonly onDidChangeSessions = this.#changed.event;

  constructor(remove: (id: string) => Promise<void>) {
    this.#remove = remove;
    const options = { supportsMultipleAccounts: true };
    this.#store.add(
      vscode.authentication.registerAuthenticationProvider(authenticationId, 'Report Library', this, options),
    );
  }

  /** Shows these connections from now on. */
  show(stored: readonly StoredConnection[]): void {
    const before = this.#shown;
    const now = stored.map(sessionOf);
    this.#shown = now;
    const isIn = (list: readonly vscode.AuthenticationSession[]) => (session: vscode.AuthenticationSession) =>
      list.some(({ id, account }) => id === session.id && account.label === session.account.label);
    const removed = before.filter((session) => !isIn(now)(session));
    const added = now.filter((session) => !isIn(before)(session));
    if (removed.length + added.length > 0) this.#changed.fire({ added, removed, changed: [] });
  }

  async getSessions(
    scopes: readonly string[] | undefined,
    options?: vscode.AuthenticationProviderSessionOptions,
  ): Promise<vscode.AuthenticationSession[]> {
    if (scopes) return [];
    const wanted = options?.account?.label;
    return this.#shown.filter(({ account }) => wanted === undefined || account.label === wanted);
  }

  async createSession(): Promise<vscode.AuthenticationSession> {
    throw new Error(vscode.l10n.t('Report Library keeps its keys to itself. Use its command Sign In… instead.'));
  }

  removeSession(id: string): Promise<void> {
    return this.#remove(id);
  }

  dispose(): void {
    this.#store.dispose();
  }
}

function sessionOf({ id, name }: StoredConnection): vscode.AuthenticationSession {
  return { id, accessToken: noToken, account: { id, label: name }, scopes: [] };
}
