import * as vscode from 'vscode';
import { ApiError } from '../../api/transport/errors.ts';
import type { App } from '../../app/app.ts';
import type { Connection, Services, Session } from '../../app/session.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { keyPrefix } from '../../base/secret.ts';
import type { CommandRun } from '../common/commands.ts';
import { commandIds, usageItemId } from '../common/contributions.ts';
import type { Log } from '../common/log.ts';
import type { SyncState } from '../common/syncState.ts';
import { copySupportInformation } from './supportInformation.ts';
import { isLong, itemLabel, itemText, type StatusFacts, syncProblem, tooltipRows } from './usageText.ts';

/** Usage numbers are asked for at most this often (ms) while the window has the focus. */
const refreshInterval = 5 * 60_000;
/** After a burst of requests the numbers are asked for once, this long (ms) after the last one asked to refresh. */
const settle = 1_500;
/** How often the text follows the clock (ms): the running minute, and a countdown while waiting. */
const tick = 1_000;

type KnownUsage = Pick<StatusFacts, 'usage' | 'entitlements' | 'rate'>;

const nothingKnown: KnownUsage = { usage: null, entitlements: null, rate: null };

/** Keeps the status bar item true: usage of the month, the rate, the license. */
export class UsageStatus implements Disposable {
  readonly #item: vscode.StatusBarItem;
  readonly #services: Services;
  readonly #log: Log;
  readonly #store = new DisposableStore();
  #connection: Connection | undefined;
  #rateSubscription: Disposable | undefined;
  #known = nothingKnown;
  #pending: NodeJS.Timeout | undefined;
  #askedAt = 0;
  #shownTooltip = '';
  #sync: SyncState | null = null;

  constructor({ services, log, sync, downloads }: App) {
    const item = this.#store.add(vscode.window.createStatusBarItem(usageItemId, vscode.StatusBarAlignment.Right, 90));
    this.#item = item;
    this.#services = services;
    this.#log = log;
    item.name = vscode.l10n.t('Report Library Usage');
    item.command = commandIds.showMenu;
    const timer = setInterval(() => this.#onTick(), tick);
    this.#store.add({
      dispose: () => {
        clearInterval(timer);
        clearTimeout(this.#pending);
        this.#rateSubscription?.dispose();
      },
    });
    this.#store.add(services.onDidChangeSession((session) => this.#follow(session)));
    this.#store.add(sync.onDidChangeState((state) => this.#showSync(state)));
    this.#store.add(downloads.onDidChange(() => this.refresh()));
    this.#store.add(services.onDidChangeContact(() => this.#render()));
    this.#follow(services.session);
    if (sync.state) this.#showSync(sync.state);
  }

  #follow(session: Session): void {
    if (session.kind === 'keyRefused') this.#showRefused();
    else if (session.kind === 'signedIn') this.#showConnection(session.connection);
    else this.hide();
  }

  #showConnection(connection: Connection): void {
    this.#item.backgroundColor = undefined;
    if (this.#connection !== connection) {
      this.#connection = connection;
      this.#known = nothingKnown;
      void this.#ask();
    }
    this.#render();
    this.#item.show();
  }

  #showSync(state: SyncState): void {
    // A run that has ended has used requests.
    if (this.#sync?.running && !state.running) this.refresh();
    this.#sync = state;
    this.#render();
  }

  hide(): void {
    this.#connection = undefined;
    this.#item.hide();
  }

  /** Asks for the numbers again soon; several calls in a row cost one request. */
  refresh(): void {
    clearTimeout(this.#pending);
    this.#pending = setTimeout(() => void this.#ask(), settle);
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Whether only a person's Try Again helps now: the service can't be reached, or asked for a very long wait. */
  get shouldOfferRetry(): boolean {
    if (this.#services.contact.isOffline) return true;
    const until = this.#known.rate?.waiting?.until;
    return until !== undefined && isLong(until, Date.now());
  }

  #onTick(): void {
    if (!this.#connection) return;
    if (vscode.window.state.focused && Date.now() - this.#askedAt > refreshInterval) void this.#ask();
    this.#render();
  }

  async #ask(): Promise<void> {
    const connection = this.#connection;
    if (!connection) return;
    const learn = (learned: Partial<KnownUsage>) => {
      if (this.#connection === connection) this.#known = { ...this.#known, ...learned };
      this.#render();
    };
    this.#askedAt = Date.now();
    try {
      await this.#services.call(async (client) => {
        this.#rateSubscription?.dispose();
        this.#rateSubscription = client.onDidChangeRate((rate) => learn({ rate }));
        const entitlements = await this.#services.entitlements();
        const usage = await client.usage({ priority: 'background' });
        learn({ entitlements, usage, rate: client.rate });
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // The last numbers stay; views and commands tell the user when the service cannot be reached.
      this.#log.warn(`Usage could not be read. ${error.message}`);
      this.#render();
    }
  }

  #render(): void {
    const connection = this.#connection;
    if (!connection || this.#services.session.kind !== 'signedIn') return;
    const sync = this.#sync?.connectionId === connection.id ? this.#sync : null;
    const facts: StatusFacts = { ...this.#known, now: Date.now(), sync, contact: this.#services.contact };
    const [text, label] = [itemText(facts), itemLabel(facts)];
    if (this.#item.text !== text) this.#item.text = text;
    if (this.#item.accessibilityInformation?.label !== label)
      this.#item.accessibilityInformation = { label, role: 'button' };
    // A tooltip set anew closes and reopens under the pointer, so it is only set when it says something new.
    const rows = tooltipRows(facts);
    const problem = syncProblem(facts);
    const shown = JSON.stringify([connection.id, connection.name, rows, problem]);
    if (this.#shownTooltip === shown) return;
    this.#shownTooltip = shown;
    this.#item.tooltip = tooltip(connection, rows, problem);
  }

  #showRefused(): void {
    this.#connection = undefined;
    this.#shownTooltip = '';
    this.#item.text = vscode.l10n.t('$(library) Key refused');
    this.#item.tooltip = vscode.l10n.t('The service no longer accepts your key. Click to replace it.');
    this.#item.accessibilityInformation = {
      label: vscode.l10n.t('Report Library: the key was refused'),
      role: 'button',
    };
    this.#item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
    this.#item.show();
  }
}

function tooltip(
  connection: Connection,
  rows: readonly (readonly [string, string])[],
  problem: string | null,
): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  markdown.appendMarkdown('**Report Library** · ').appendText(connection.name).appendMarkdown('\n\n| | |\n|:--|:--|\n');
  for (const [label, value] of [...rows, [vscode.l10n.t('Key'), keyPrefix(connection.key)]] as const) {
    markdown.appendMarkdown(`| ${label} &nbsp; | `);
    markdown.appendText(value.replaceAll('|', '¦'));
    markdown.appendMarkdown(' |\n');
  }
  // A sentence in the table would squeeze all of its rows.
  if (problem !== null) markdown.appendMarkdown('\n').appendText(problem);
  return markdown;
}

/** The menu of the status bar item, and what its user may give to the service's support. */
export function statusCommands({ services, log, extension }: App, status: { get(): Promise<UsageStatus> }) {
  return {
    async showMenu() {
      const session = await services.ready();
      const shown = 'connection' in session ? await status.get() : undefined;
      await showMenu(session, () => shown?.refresh(), shown?.shouldOfferRetry ?? false);
    },
    async tryNow() {
      await services.call(async (client) => {
        await client.endLongWaits();
        await client.usage({ tries: 1 });
      });
      (await status.get()).refresh();
    },
    showLog: async () => log.show(),
    copySupportInformation: () => copySupportInformation(services, extension.extension.packageJSON.version),
  } satisfies Readonly<Record<string, CommandRun>>;
}

interface ActionItem extends vscode.QuickPickItem {
  readonly run: () => unknown;
}

/** What a click on the status bar item offers. */
async function showMenu(session: Session, refreshUsage: () => void, shouldOfferRetry: boolean): Promise<void> {
  const item = (icon: string, label: string, run: string | (() => unknown)): ActionItem => ({
    label,
    iconPath: new vscode.ThemeIcon(icon),
    run: () => (typeof run === 'string' ? vscode.commands.executeCommand(run) : run()),
  });
  const separator: ActionItem = { label: '', kind: vscode.QuickPickItemKind.Separator, run: () => undefined };
  const items: ActionItem[] = [];
  if (session.kind === 'signedIn') {
    const showUsage = async () => {
      refreshUsage();
      await vscode.commands.executeCommand(commandIds.showUsage);
    };
    items.push(
      // A sync would fail or wait as well.
      shouldOfferRetry
        ? item('debug-restart', vscode.l10n.t('Try Again'), commandIds.tryNow)
        : item('sync', vscode.l10n.t('Sync Now'), commandIds.sync),
      item('checklist', vscode.l10n.t('Check for Removed Reports'), commandIds.fullWalk),
      item('graph', vscode.l10n.t('Show Usage Details'), showUsage),
      separator,
    );
  }
  if (session.kind === 'keyRefused') items.push(item('key', vscode.l10n.t('Replace Key…'), commandIds.signIn));
  items.push(item('plug', vscode.l10n.t('Switch Connection…'), commandIds.switchConnection));
  if ('connection' in session) items.push(item('sign-out', vscode.l10n.t('Sign Out'), commandIds.signOut));
  items.push(
    separator,
    item('copy', vscode.l10n.t('Copy Support Information'), commandIds.copySupportInformation),
    item('output', vscode.l10n.t('Show Log'), commandIds.showLog),
  );
  const choice = await vscode.window.showQuickPick(items, {
    title: 'connection' in session ? session.connection.name : 'Report Library',
    placeHolder: vscode.l10n.t('Choose an action'),
  });
  await choice?.run();
}
