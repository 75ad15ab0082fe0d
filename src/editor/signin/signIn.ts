import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { checkApiKey, checkBaseUrl } from '../../api/credentials.ts';
import type { Entitlements } from '../../api/schemas/meta.ts';
import { ApiError, type ProblemKind } from '../../api/transport/errors.ts';
import { l10n } from '../../base/l10n.ts';
import type { Secret } from '../../base/secret.ts';
import { counted, plainText } from '../../base/words.ts';
import { notificationText, problemText } from '../common/messages.ts';
import { showUntilAnswered } from '../common/pickWhileTyping.ts';
import { applicationSetting } from '../common/settings.ts';
import type { Connections } from './connections.ts';
import { keyringNotices } from './keyringNotices.ts';

/** What a sign-in has learned so far. Going back keeps what was typed. */
interface SignInDraft {
  baseUrl: string;
  /** What is wrong with the address, found out when the key was tried there. */
  addressProblem?: string;
  key?: Secret;
  entitlements?: Entitlements;
  name?: string;
}

/** Where a step leads; undefined when the person leaves. */
type Way = 'next' | 'back' | undefined;

/**
 * Asks for the base URL, then the key, and stores neither before `/entitlements` has answered for them. Any problem is
 * shown in the box of the step that can mend it, and Back leads from each step to the one before.
 */
export async function signIn(connections: Connections): Promise<void> {
  const { services, connections: store } = connections.context;
  const { session } = services;
  const previous = 'connection' in session && !session.connection.isDemo ? session.connection : undefined;
  const refused = session.kind === 'keyRefused' ? previous : undefined;
  const stored = await store.list();
  const names = stored.map(({ name }) => name);
  const draft: SignInDraft = { baseUrl: previous?.baseUrl ?? applicationSetting('reportLibrary.baseUrl') };
  // The same key again, or a new one for a service that refused the last: it takes the place of the stored one.
  const replaced = () =>
    stored.find(
      (one) => one.baseUrl === draft.baseUrl && (one.key.reveal() === draft.key?.reveal() || one.id === refused?.id),
    );
  const suggested = () =>
    replaced()?.name ?? suggestedName(draft.entitlements?.client_name ?? null, draft.baseUrl, names);
  const steps = [
    () => addressStep(draft),
    () => keyStep(draft, (key, signal) => tryKey(connections, draft.baseUrl, key, signal)),
    () => nameStep(draft, suggested(), names),
  ];
  // The first one needs no name to tell it from others, and a key that is replaced keeps the name.
  const totalSteps = stored.length > 0 && refused === undefined ? 3 : 2;
  for (let at = 0; at < totalSteps; ) {
    const step = at === 2 && replaced() ? undefined : steps[at]?.();
    const way: Way = step ? await ask(step, at + 1, totalSteps) : 'next';
    if (way === undefined) return;
    at += way === 'next' ? 1 : -1;
  }
  const { baseUrl, key, entitlements, name = suggested() } = draft;
  if (!key || !entitlements) return;
  const { kept } = await connections.add({ id: replaced()?.id ?? randomUUID(), name, baseUrl, key }, entitlements);
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

function addressStep(draft: SignInDraft): SignInStep {
  return {
    prompt: vscode.l10n.t('The base URL of the service. It is in your license letter.'),
    placeholder: 'https://reports.example.com/api/v2',
    value: draft.baseUrl,
    problem: draft.addressProblem,
    async submit(value) {
      const checked = checkBaseUrl(value);
      if (!checked.ok) return { problem: checked.reason, suggestion: checked.suggestion };
      draft.baseUrl = checked.baseUrl;
      return 'next';
    },
  };
}

function keyStep(draft: SignInDraft, tryKey: (key: Secret, signal: AbortSignal) => Promise<Entitlements>): SignInStep {
  delete draft.addressProblem;
  return {
    prompt: vscode.l10n.t(
      "Your API key for {0}. It is kept in the editor's secret storage and sent nowhere else.",
      new URL(draft.baseUrl).host,
    ),
    busy: vscode.l10n.t('Checking the key with {0}…', new URL(draft.baseUrl).host),
    placeholder: vscode.l10n.t('API key'),
    value: draft.key?.reveal() ?? '',
    masked: true,
    async submit(value, signal) {
      const checked = checkApiKey(value);
      if (!checked.ok) return { problem: checked.reason };
      draft.key = checked.key;
      try {
        draft.entitlements = await tryKey(checked.key, signal);
        return 'next';
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (!addressProblems.has(error.problem.kind)) return { problem: keyProblem(error) };
        draft.addressProblem = problemText(error);
        return 'back';
      }
    },
  };
}

/** Where the key is typed, there is no need to say that one has to sign in. */
function keyProblem(error: ApiError): string {
  if (error.problem.kind !== 'unauthorized') return problemText(error);
  return problemText(new ApiError({ ...error.problem, nextStep: vscode.l10n.t('Check it, then paste it again.') }));
}

/** What another key would not mend. */
const addressProblems: ReadonlySet<ProblemKind> = new Set(['network', 'edge-page', 'not-found', 'unexpected-shape']);

function nameStep(draft: SignInDraft, suggested: string, taken: readonly string[]): SignInStep {
  return {
    prompt: vscode.l10n.t('A name for this connection, to tell it from your others.'),
    placeholder: suggested,
    value: draft.name ?? suggested,
    async submit(value) {
      const problem = nameProblem(value, taken);
      if (problem !== undefined) return { problem };
      draft.name = tidyName(value);
      return 'next';
    },
  };
}

/** The licensee, and what the license covers. */
function describe(entitlements: Entitlements, baseUrl: string): string {
  const parts = [notificationText(plainText(entitlements.client_name ?? new URL(baseUrl).host))];
  const { watchlist_size: companies, fcyear_start: first, fcyear_end: last } = entitlements;
  if (companies !== null) parts.push(counted(companies, l10n.later('1 company'), l10n.later('{0} companies')));
  if (first !== null && first === last) parts.push(vscode.l10n.t('fiscal year {0}', first));
  else if (first !== null && last !== null) parts.push(vscode.l10n.t('fiscal years {0} to {1}', first, last));
  else if (first !== null) parts.push(vscode.l10n.t('fiscal years from {0}', first));
  return `${parts.join(', ')}.`;
}

const maxNameLength = 80;

/** A connection's name until a person renames it: the licensee and the service's host, distinct from the others. */
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
  return taken.includes(plain) ? vscode.l10n.t('Another connection already has this name.') : undefined;
}

/** A name as it is stored: one line, no invisible characters. */
export function tidyName(name: string): string {
  return plainText(name, maxNameLength);
}

/** What is wrong with what was typed, and what was probably meant. */
interface InputProblem {
  readonly problem: string;
  readonly suggestion?: string | null;
}

/** One step of a sign-in. Where `submit` finds a problem, it is shown and the person stays at the step. */
interface SignInStep {
  readonly prompt: string;
  /** What is said instead while the work runs. */
  readonly busy?: string;
  readonly placeholder: string;
  readonly value: string;
  /** What is wrong with the value from the start. */
  readonly problem?: string | undefined;
  readonly masked?: boolean;
  submit(value: string, signal: AbortSignal): Promise<'next' | 'back' | InputProblem>;
}

/**
 * Asks one step. While the work runs the box shows progress, and leaving or going back cancels it. The suggestion is
 * taken by pressing Enter again, or by its button.
 */
async function ask(given: SignInStep, step: number, totalSteps: number): Promise<Way> {
  const { prompt, placeholder, value, problem, masked = false } = given;
  const box = vscode.window.createInputBox();
  const title = vscode.l10n.t('Sign In to Report Library');
  const look = { title, step, totalSteps, prompt, placeholder, value, password: masked, ignoreFocusOut: true };
  Object.assign(box, look satisfies Partial<vscode.InputBox>);
  box.validationMessage = problem;
  const back = step > 1 ? [vscode.QuickInputButtons.Back] : [];
  box.buttons = back;
  let suggestion: string | undefined;
  const refuse = (refused: InputProblem) => {
    suggestion = refused.suggestion ?? undefined;
    box.validationMessage = refused.problem;
    if (suggestion === undefined) return;
    box.validationMessage = vscode.l10n.t('{0} Did you mean {1}? Press Enter to use it.', refused.problem, suggestion);
    box.buttons = [...back, { iconPath: new vscode.ThemeIcon('check'), tooltip: vscode.l10n.t('Use {0}', suggestion) }];
  };
  const work = new AbortController();
  return showUntilAnswered<'next' | 'back'>(box, (resolve, reject) => {
    const accept = async () => {
      if (box.busy) return;
      if (suggestion !== undefined) box.value = suggestion;
      suggestion = undefined;
      box.busy = true;
      box.prompt = given.busy ?? prompt;
      box.enabled = false;
      try {
        const outcome = await given.submit(box.value, work.signal);
        if (typeof outcome === 'string') resolve(outcome);
        else refuse(outcome);
      } catch (error) {
        reject(error);
      }
      if (work.signal.aborted) return;
      box.busy = false;
      box.prompt = prompt;
      box.enabled = true;
    };
    box.onDidChangeValue(() => {
      suggestion = undefined;
      box.validationMessage = undefined;
      box.buttons = back;
    });
    box.onDidTriggerButton((button) => (button === vscode.QuickInputButtons.Back ? resolve('back') : accept()));
    box.onDidAccept(accept);
    return { dispose: () => work.abort() };
  });
}
