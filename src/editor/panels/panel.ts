import { ApiError } from '../../api/transport/errors.ts';
import { Soon } from '../../base/clock.ts';
import { l10n } from '../../base/l10n.ts';
import type { Logger } from '../../base/logger.ts';
import { Channel, type Handlers, type Protocol } from '../../base/rpc.ts';
import type { FavoriteName } from '../../favorites/favorites.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { InputOrigin, LookupResults } from '../../panels/lookups.ts';
import type { CoverageScope } from '../../protocol/coverage.ts';
import type { AnyPanel, EveryCall, PageProblem } from '../../protocol/page.ts';
import { runCommand } from '../common/commands.ts';
import type { PanelKey } from '../common/panelUri.ts';
import type { ReportsFilter } from '../common/reportsFilter.ts';
import type { DataChange, PanelPorts } from './context.ts';
import type { OpenPage } from './panelPage.ts';

/** Whether a change may show in what is told of these reports. */
export function concernsReports(data: DataChange, reportIds: readonly number[]): boolean {
  switch (data.kind) {
    case 'library': {
      const { reports } = data.change;
      return reports === 'many' || reportIds.some((id) => reports.includes(id));
    }
    case 'files':
      return reportIds.some((id) => data.reportIds.includes(id));
    case 'filter':
    case 'favorites':
      return false;
    case 'session':
      return true;
    default:
      return data satisfies never;
  }
}

/** What an address can't carry, by the kind of panel. */
export interface PanelInputs {
  /** A column to go to. */
  readonly schema: { readonly column: string };
  readonly coverage: { readonly scope: CoverageScope };
  readonly table: { readonly filter: ReportsFilter };
  /** What became of identifiers or report keys, or the texts to ask for first. */
  readonly results: LookupResults | { readonly queries: readonly string[]; readonly origin?: InputOrigin | undefined };
  /** Which way a person went from another year's report: the keyboard stays on that button. */
  readonly report: { readonly step: 'previous' | 'next' };
}

export type PanelInput<Key extends PanelKey> = Key['kind'] extends keyof PanelInputs ? PanelInputs[Key['kind']] : never;

/** The content of a read-only document; the name's extension chooses its language. */
export interface NamedText {
  readonly name: string;
  readonly content: string;
}

/** An open panel, and what every panel may do. */
export interface OpenPanel extends OpenPage, Pick<PanelPorts, 'onDidChange'> {
  readonly log: Logger;
  /** Words for a person, without key, link or stack. */
  explain(error: unknown): string;
  /** Opens another panel: in a tab that stays, unless a preview is asked for. */
  open<Key extends PanelKey>(key: Key, input?: PanelInput<Key>, how?: { readonly preview: boolean }): Promise<void>;
  showText(name: string, content: string): Promise<void>;
  /** Shows two texts, each under its name, in the editor's own diff. */
  diffTexts(left: NamedText, right: NamedText, title: string): Promise<void>;
  /** Puts a text into the clipboard. Throws when there is none. */
  copy(text: string | null | undefined): Promise<void>;
}

/** What a panel does itself of what its page may ask for and tell. */
interface OwnHandlers<P extends Protocol> {
  readonly calls: Omit<Handlers<P['host']>['calls'], EveryCall>;
  readonly events: Handlers<P['host']>['events'];
}

/** The library that is in use, kept up to date from now on; calls end with the signal. May throw an `ApiError`. */
export async function libraryInUse(
  { services, sync }: Pick<PanelPorts, 'services' | 'sync'>,
  signal: AbortSignal,
): Promise<LibraryCalls> {
  const { library } = await services.library();
  sync.start();
  return library.withSignal(signal);
}

/** Stars a company or report, or takes its star away. */
export function toggleFavorite({ report_id, company_key }: FavoriteName): Promise<void> {
  return runCommand('toggleFavourite', report_id ?? company_key);
}

/** What a page is told of a failure. */
function pageProblem({ explain }: Pick<OpenPanel, 'explain'>, error: unknown): PageProblem {
  const isSignedOut = error instanceof ApiError && error.problem.kind === 'unauthorized';
  return { message: explain(error), ...(isSignedOut && { signedOut: true }) };
}

/** Starts the editor's side of a panel's conversation. It ends with the panel. */
export function openChannel<P extends Protocol>(
  panel: OpenPanel,
  protocol: P,
  { calls, events }: OwnHandlers<P>,
): Channel<P['host'], P['page']> {
  const { port, store, log, explain } = panel;
  const everyCall: Pick<Handlers<AnyPanel['host']>['calls'], EveryCall> = {
    enter: ({ how }) => runCommand(how),
  };
  const handlers = { calls: { ...everyCall, ...calls }, events } as Handlers<P['host']>;
  return store.add(new Channel({ port, mine: protocol.host, theirs: protocol.page, explain, log, handlers }));
}

export interface LatestLoadOptions<Content> {
  /** May throw an `ApiError`. */
  read(): Promise<Content>;
  /** Shows what was read; `before` is what the page shows until then, if it shows anything. */
  show(content: Content, before: Content | undefined): void;
  fail(problem: PageProblem): void;
  /** Whether a change may show, and whether it is waited for. Another session waits for nothing. */
  follows(change: DataChange): 'now' | 'soon' | false;
  /** What the log is told of a failure. */
  readonly failed: string;
}

/** What a panel shows, read again when something changes. A late answer gives way to a newer one. */
export class LatestLoad<Content> {
  readonly #panel: OpenPanel;
  readonly #options: LatestLoadOptions<Content>;
  readonly #soon: Soon;
  #content: Content | undefined;
  /** Stands for the reading that is under way; another object for each. */
  #running: object | undefined;

  constructor(panel: OpenPanel, options: LatestLoadOptions<Content>) {
    this.#panel = panel;
    this.#options = options;
    this.#soon = panel.store.add(new Soon(() => this.read()));
    panel.store.add(panel.onDidChange((change) => this.#follow(change)));
  }

  get content(): Content | undefined {
    return this.#content;
  }

  /** What was read. Throws while there is nothing. */
  known(): Content {
    if (this.#content === undefined) throw new Error(l10n.t('This page is still loading. Try again in a moment.'));
    return this.#content;
  }

  ready(): void {
    if (this.#content !== undefined) this.#options.show(this.#content, undefined);
    else if (!this.#running) void this.read();
  }

  /** Reads anew. The present content stays when that fails; why is given back, unless a newer reading took over. */
  async read(): Promise<{ readonly error: unknown } | undefined> {
    const { read, show, fail, failed } = this.#options;
    const mine = {};
    this.#running = mine;
    const isCurrent = () => !this.#panel.signal.aborted && this.#running === mine;
    try {
      const content = await read();
      if (!isCurrent()) return undefined;
      const before = this.#content;
      this.#content = content;
      show(content, before);
      return undefined;
    } catch (error) {
      if (!isCurrent()) return undefined;
      this.#panel.log.warn(failed);
      if (this.#content === undefined) fail(pageProblem(this.#panel, error));
      return { error };
    } finally {
      if (this.#running === mine) this.#running = undefined;
    }
  }

  /**
   * Reads what a person chose. When that fails, what is shown stays: `takeBack` undoes the choice.
   * @throws what the reading failed with
   */
  async readChosen(takeBack: (shown: Content) => unknown): Promise<void> {
    const failure = await this.read();
    if (!failure || this.#content === undefined) return;
    await takeBack(this.#content);
    throw failure.error;
  }

  /** Reads something else, which takes the place of what is shown. When that fails, the page says why in its place. */
  async readElse(): Promise<void> {
    const failure = await this.read();
    if (!failure || this.#content === undefined) return;
    this.#content = undefined;
    this.#options.fail(pageProblem(this.#panel, failure.error));
  }

  #follow(change: DataChange): void {
    const when = this.#options.follows(change);
    const isOther = change.kind === 'session';
    // Another session has other content: what was read is not shown again, nor what is still being read.
    if (isOther) this.#content = this.#running = undefined;
    if (when === 'now' || (when && isOther)) void this.read();
    else if (when === 'soon') this.#soon.ask();
  }
}
