import * as vscode from 'vscode';
import type { RateLimitStatus } from '../../api/client.ts';
import type { Entitlements, Usage } from '../../api/schemas/meta.ts';
import { ApiError } from '../../api/transport/errors.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { keyPrefix } from '../../base/secret.ts';
import type { Connection, Services, Session } from '../../services.ts';
import { commandIds } from '../common/contributions.ts';
import type { Log } from '../common/log.ts';
import type { SyncState } from '../common/syncState.ts';
import { isLong, itemLabel, itemText, syncProblem, tooltipRows, type UsageFacts } from './usageText.ts';

/** Usage numbers are asked for at most this often (ms) while the window has the focus. */
const refreshInterval = 5 * 60_000;
/** After a burst of requests the numbers are asked for once, this long (ms) after the last one asked to refresh. */
const settle = 1_500;
/** How often the text follows the clock (ms): the running minute, and a countdown while waiting. */
const tick = 1_000;

/** Keeps the status bar item true: usage of the month, the rate, the licence. */
export class UsageStatus implements Disposable {
  readonly #item: vscode.StatusBarItem;
  readonly #services: Services;
  readonly #log: Log;
  readonly #store = new DisposableStore();
  #connection: Connection | undefined;
  #rateSubscription: Disposable | undefined;
  #usage: Usage | null = null;
  #entitlements: Entitlements | null = null;
  #rate: RateLimitStatus | null = null;
  #pending: NodeJS.Timeout | undefined;
  #askedAt = 0;
  #shownTooltip = '';
  #sync: SyncState | null = null;

  constructor(item: vscode.StatusBarItem, services: Services, log: Log) {
    this.#item = this.#store.add(item);
    this.#services = services;
    this.#log = log;
    item.name = vscode.l10n.t('Report Library Usage');
    item.command = commandIds.showMenu;
    const timer = setInterval(() => this.#onTick(), tick);
    this.#store.add({ dispose: () => clearInterval(timer) });
    this.#store.add({ dispose: () => clearTimeout(this.#pending) });
    this.#store.add({ dispose: () => this.#rateSubscription?.dispose() });
  }

  /** Shows the given session's numbers. */
  follow(session: Session): void {
    if (session.kind === 'keyRefused') this.#showRefused();
    else if (session.kind === 'signedIn') this.#showConnection(session.connection);
    else this.hide();
  }

  #showConnection(connection: Connection): void {
    this.#item.backgroundColor = undefined;
    if (this.#connection !== connection) {
      this.#connection = connection;
      this.#usage = null;
      this.#entitlements = null;
      this.#rate = null;
      void this.#ask();
    }
    this.#render();
    this.#item.show();
  }

  /** Shows how the library stands. */
  showSync(state: SyncState): void {
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

  /** Whether the service asked for a wait that is too long to be waited for. */
  get isWaitingLong(): boolean {
    const until = this.#rate?.waiting?.until;
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
    this.#askedAt = Date.now();
    try {
      await this.#services.call(async (client) => {
        this.#rateSubscription?.dispose();
        this.#rateSubscription = client.onDidChangeRate((rate) => {
          if (this.#connection !== connection) return;
          this.#rate = rate;
          this.#render();
        });
        const entitlements = this.#entitlements ?? (await client.entitlements({ priority: 'background' }));
        const usage = await client.usage({ priority: 'background' });
        if (this.#connection !== connection) return;
        this.#entitlements = entitlements;
        this.#usage = usage;
        this.#rate = client.rate;
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // The last numbers stay; views and commands tell the user when the service cannot be reached.
      this.#log.warn(`Usage could not be read. ${error.message}`);
    }
    this.#render();
  }

  #render(): void {
    const connection = this.#connection;
    if (!connection || this.#services.session.kind !== 'signedIn') return;
    const facts = this.#facts(connection);
    const text = itemText(facts);
    if (this.#item.text !== text) {
      this.#item.text = text;
      this.#item.accessibilityInformation = { label: itemLabel(facts), role: 'button' };
    }
    // A tooltip set anew closes and reopens under the pointer, so it is only set when it says something new.
    const rows = tooltipRows(facts);
    const problem = syncProblem(facts);
    const shown = JSON.stringify([connection.id, connection.name, rows, problem]);
    if (this.#shownTooltip === shown) return;
    this.#shownTooltip = shown;
    this.#item.tooltip = tooltip(connection, rows, problem);
  }

  #facts(connection: Connection): UsageFacts {
    return {
      usage: this.#usage,
      entitlements: this.#entitlements,
      rate: this.#rate,
      now: Date.now(),
      sync: this.#sync?.connectionId === connection.id ? this.#sync : null,
    };
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

interface MenuItem extends vscode.QuickPickItem {
  readonly run?: () => unknown;
}

/** What a click on the status bar item offers. */
export async function showMenu(session: Session, refreshUsage: () => void, isWaitingLong: boolean): Promise<void> {
  const command = (id: string) => () => vscode.commands.executeCommand(id);
  const separator: MenuItem = { label: '', kind: vscode.QuickPickItemKind.Separator };
  const items: MenuItem[] = [];
  if (session.kind === 'signedIn' && isWaitingLong)
    items.push({ label: vscode.l10n.t('$(debug-restart) Try Now'), run: command(commandIds.tryNow) }, separator);
  if (session.kind === 'signedIn') {
    items.push(
      { label: vscode.l10n.t('$(sync) Sync Now'), run: command(commandIds.sync) },
      { label: vscode.l10n.t('$(checklist) Check for Removed Reports'), run: command(commandIds.fullWalk) },
      { label: vscode.l10n.t('$(graph) Show Usage Details'), run: command(commandIds.showUsage) },
      { label: vscode.l10n.t('$(refresh) Refresh Usage'), run: refreshUsage },
      separator,
    );
  }
  if (session.kind === 'keyRefused')
    items.push({ label: vscode.l10n.t('$(key) Replace Key…'), run: command(commandIds.signIn) });
  items.push({ label: vscode.l10n.t('$(plug) Switch Connection…'), run: command(commandIds.switchConnection) });
  if ('connection' in session)
    items.push({ label: vscode.l10n.t('$(sign-out) Sign Out'), run: command(commandIds.signOut) });
  items.push(
    separator,
    { label: vscode.l10n.t('$(copy) Copy Support Information'), run: command(commandIds.copySupportInformation) },
    { label: vscode.l10n.t('$(output) Show Log'), run: command(commandIds.showLog) },
  );
  const choice = await vscode.window.showQuickPick(items, {
    title: 'connection' in session ? session.connection.name : 'Report Library',
    placeHolder: vscode.l10n.t('Choose an action'),
  });
  await choice?.run?.();
}
