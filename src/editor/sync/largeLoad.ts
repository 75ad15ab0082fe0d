import * as vscode from 'vscode';
import { countText, duration } from '../../base/words.ts';
import { type LoadEstimate, nextQuietTime, quietHours } from '../../library/sync/plan.ts';

/** What a large first load waits for: an answer, Sync Now, or a time in ms since the epoch. */
export type LoadWait = 'answer' | 'sync' | number;

/** When large first loads run (LIM-4). What a person chose holds while the window stays open. */
export class LargeLoad {
  readonly #now: () => number;
  readonly #wanted = new Set<string>();
  #wait: { readonly connectionId: string; readonly until: LoadWait } | undefined;
  /** Answers the open question. */
  #loadNow = (): void => {};

  constructor(now: () => number) {
    this.#now = now;
  }

  /** What the load of a connection waits for; null when for nothing. */
  waitsFor(connectionId: string): LoadWait | null {
    const until = this.#wait?.connectionId === connectionId ? this.#wait.until : null;
    return typeof until === 'number' && until <= this.#now() ? null : until;
  }

  /** Whether the chosen time for the load of a connection has come; true once. */
  takeDue(connectionId: string): boolean {
    const isDue = this.#wait?.connectionId === connectionId && this.waitsFor(connectionId) === null;
    if (isDue) this.#wait = undefined;
    if (isDue) this.#wanted.add(connectionId);
    return isDue;
  }

  /** Whether a load may begin. Shows its size and time and asks, except in quiet hours or where Sync Now was run. */
  async mayBegin(connectionId: string, estimate: LoadEstimate, onWait: () => void): Promise<boolean> {
    const quiet = nextQuietTime(this.#now());
    if (!estimate.large || quiet <= this.#now() || this.#wanted.has(connectionId)) return true;
    try {
      const until = await new Promise<LoadWait | null>((resolve, reject) => {
        this.#wait = { connectionId, until: 'answer' };
        this.#loadNow = () => resolve(null);
        onWait();
        askAboutLargeLoad(estimate, quiet).then(resolve, reject);
      });
      this.#wait = until === null ? undefined : { connectionId, until };
      return until === null;
    } catch (error) {
      this.#wait = undefined;
      throw error;
    }
  }

  /** A person who saw size and time wants the load now. */
  beginNow(connectionId: string): void {
    if (this.waitsFor(connectionId) === null) return;
    this.#wanted.add(connectionId);
    this.#wait = undefined;
    this.#loadNow();
  }

  /** The library was loaded. */
  end(connectionId: string): void {
    if (this.#wait?.connectionId === connectionId) this.#wait = undefined;
  }
}

/**
 * Shows size and time of a large first load, and asks when it should run (LIM-4). Null for now.
 * @param quiet when the service's quiet hours begin, ms since the epoch
 */
async function askAboutLargeLoad({ reports, seconds }: LoadEstimate, quiet: number): Promise<LoadWait | null> {
  const time = (at: number) =>
    new Date(at).toLocaleTimeString(vscode.env.language, { hour: '2-digit', minute: '2-digit' });
  const now = vscode.l10n.t('Load Now');
  const later = vscode.l10n.t('Load at {0}', time(quiet));
  const choice = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'Your license includes about {0} reports. Loading their metadata takes about {1}. The service asks to run large loads between {2} and {3}. To load then, keep this window open. Companies that you open load immediately either way.',
      countText(reports),
      duration(seconds * 1000),
      time(quiet),
      time(quiet + quietHours),
    ),
    now,
    later,
    vscode.l10n.t('Cancel'),
  );
  if (choice === now) return null;
  return choice === later ? quiet : 'sync';
}
