import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { checkApiKey, checkBaseUrl } from '../../api/credentials.ts';
import type { Entitlements } from '../../api/schemas/meta.ts';
import { ApiError } from '../../api/transport/errors.ts';
import type { Secret } from '../../base/secret.ts';
import { plainText } from '../../base/words.ts';
import { notificationText, problemText } from '../common/messages.ts';
import { answerOf } from '../common/pickWhileTyping.ts';
import { applicationSetting } from '../common/settings.ts';
import type { Connections } from './connections.ts';
import { keyringNotices } from './keyringNotices.ts';

/**
 * Asks for the base URL, then the key, and stores neither before `/entitlements` has answered for them. Any problem is
 * told in the box, so that the user can mend it there.
 */
export async function signIn(connections: Connections): Promise<void> {
  const { services, connections: store } = connections.context;
  const { session } = services;
  const previous = 'connection' in session && !session.connection.isDemo ? session.connection : undefined;
  const refused = session.kind === 'keyRefused' ? previous : undefined;
  const stored = await store.list();
  // The first one needs no name to tell it from others, and a key that is replaced keeps the name.
  const asksName = stored.length > 0 && refused === undefined;
  const totalSteps = asksName ? 3 : 2;
  const baseUrl = await askForBaseUrl(totalSteps, previous?.baseUrl);
  if (baseUrl === undefined) return;
  const signedIn = await askForKey(totalSteps, baseUrl, (key, signal) => tryKey(connections, baseUrl, key, signal));
  if (!signedIn) return;
  const { key, entitlements } = signedIn;
  // The same key again, or a new one for a service that refused the last: it takes the place of the stored one.
  const replaced = stored.find(
    (one) => one.baseUrl === baseUrl && (one.key.reveal() === key.reveal() || one.id === refused?.id),
  );
  const names = stored.map(({ name }) => name);
  const suggested = replaced?.name ?? suggestedName(entitlements.client_name, baseUrl, names);
  const name = replaced || !asksName ? suggested : await askForName(suggested, names);
  if (name === undefined) return;
  const { kept } = await connections.add({ id: replaced?.id ?? randomUUID(), name, baseUrl, key });
  void vscode.window.showInformationMessage(vscode.l10n.t('Signed in: {0}', describe(entitlements, baseUrl)));
  if (!kept) keyringNotices.notKept();
}

async function tryKey(
  { context: { createClient, log } }: Connections,
  baseUrl: string,
  key: Secret,
  signal: AbortSignal,
): Promise<Entitlements> {
  log.hide(key);
  const client = await createClient({ id: 'sign-in', name: '', baseUrl, key, isDemo: false });
  try {
    // The person looks at the box: a mistyped address is told at once, not after half a minute of trying.
    return await client.entitlements({ signal, priority: 'interactive', tries: 2 });
  } finally {
    client.dispose();
  }
}

function askForBaseUrl(totalSteps: number, previous: string | undefined): Promise<string | undefined> {
  return ask({
    step: 1,
    totalSteps,
    prompt: vscode.l10n.t('The base URL of the service. Your licence letter names it.'),
    placeholder: 'https://reports.example.com/api/v2',
    value: previous ?? applicationSetting('reportLibrary.baseUrl'),
    async submit(value) {
      const checked = checkBaseUrl(value);
      if (checked.ok) return { done: checked.baseUrl };
      const { reason, suggestion } = checked;
      return { problem: suggestion === null ? reason : vscode.l10n.t('{0} Did you mean {1}?', reason, suggestion) };
    },
  });
}

function askForKey(
  totalSteps: number,
  baseUrl: string,
  tryKey: (key: Secret, signal: AbortSignal) => Promise<Entitlements>,
): Promise<{ readonly key: Secret; readonly entitlements: Entitlements } | undefined> {
  return ask({
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
      const { key } = checked;
      try {
        return { done: { key, entitlements: await tryKey(key, signal) } };
      } catch (error) {
        if (error instanceof ApiError) return { problem: problemText(error) };
        throw error;
      }
    },
  });
}

function askForName(suggested: string, taken: readonly string[]): Promise<string | undefined> {
  return ask({
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

/** Who signed in, and what the licence covers. */
function describe(entitlements: Entitlements, baseUrl: string): string {
  const parts = [notificationText(plainText(entitlements.client_name ?? new URL(baseUrl).host))];
  const { watchlist_size: companies, fcyear_start: first, fcyear_end: last } = entitlements;
  if (companies === 1) parts.push(vscode.l10n.t('1 company'));
  else if (companies !== null) parts.push(vscode.l10n.t('{0} companies', companies.toLocaleString()));
  if (first !== null)
    parts.push(
      last === null
        ? vscode.l10n.t('fiscal years from {0}', first)
        : vscode.l10n.t('fiscal years {0} to {1}', first, last),
    );
  return `${parts.join(', ')}.`;
}

const maxNameLength = 80;

/** What a connection is called until a person renames it: the licensee and the service's host, told apart from others. */
export function suggestedName(clientName: string | null, baseUrl: string, taken: readonly string[]): string {
  const { host } = new URL(baseUrl);
  const plain = tidyName(clientName ?? '');
  const name = plain === '' ? host : `${plain} · ${host}`;
  if (!taken.includes(name)) return name;
  for (let count = 2; ; count += 1) if (!taken.includes(`${name} ${count}`)) return `${name} ${count}`;
}

/** Why a name can not be given; undefined when it can. The Accounts menu tells accounts apart by name alone. */
export function nameProblem(name: string, taken: readonly string[]): string | undefined {
  const plain = tidyName(name);
  if (plain === '') return vscode.l10n.t('Type a name.');
  return taken.includes(plain) ? vscode.l10n.t('Another connection has that name.') : undefined;
}

/** A name as it is stored: one line, no invisible characters. */
export function tidyName(name: string): string {
  return plainText(name, maxNameLength);
}

/** One step of a sign-in. `submit` does the step's work; a string it returns is shown under the box and the user stays. */
interface Step<T> {
  readonly step: number;
  readonly totalSteps: number;
  readonly prompt: string;
  readonly placeholder: string;
  readonly value?: string;
  readonly masked?: boolean;
  submit(value: string, signal: AbortSignal): Promise<{ readonly done: T } | { readonly problem: string }>;
}

/** Asks one step; undefined when the user leaves. While the work runs the box shows progress, and leaving cancels it. */
function ask<T>({ step, totalSteps, prompt, placeholder, value, masked, submit }: Step<T>): Promise<T | undefined> {
  const box = vscode.window.createInputBox();
  box.title = vscode.l10n.t('Sign In to Report Library');
  box.step = step;
  box.totalSteps = totalSteps;
  box.prompt = prompt;
  box.placeholder = placeholder;
  box.value = value ?? '';
  box.password = masked ?? false;
  box.ignoreFocusOut = true;

  const work = new AbortController();
  const { signal } = work;
  return answerOf<T>(box, (resolve, reject) => {
    box.onDidChangeValue(() => {
      box.validationMessage = undefined;
    });
    box.onDidAccept(async () => {
      if (box.busy) return;
      box.busy = true;
      box.enabled = false;
      try {
        const outcome = await submit(box.value, signal);
        if ('done' in outcome) resolve(outcome.done);
        else box.validationMessage = outcome.problem;
      } catch (error) {
        reject(error);
      }
      if (signal.aborted) return;
      box.busy = false;
      box.enabled = true;
    });
    return { dispose: () => work.abort() };
  });
}
