import * as vscode from 'vscode';
import { countText, duration } from '../../base/words.ts';
import { type LoadEstimate, nextQuietTime } from '../../library/sync/plan.ts';

const memoryKey = 'sync.loadsAtNight';

/** What a large first load waits for: an answer, or a time in ms since the epoch. */
type LoadWait = 'answer' | number;

/** When large first loads run (LIM-4). The night that a person chose is remembered, for other windows too. */
export class LargeLoad {
  readonly #memory: vscode.Memento;
  readonly #now: () => number;
  readonly #wanted = new Set<string>();
  #asked: { readonly connectionId: string; readonly loadNow: () => void } | undefined;

  constructor(memory: vscode.Memento, now: () => number) {
    this.#memory = memory;
    this.#now = now;
  }

  /** What the load of a connection waits for; null when for nothing. */
  waitsFor(connectionId: string): LoadWait | null {
    if (this.#asked?.connectionId === connectionId) return 'answer';
    const night = this.#nights()[connectionId];
    return night !== undefined && night > this.#now() ? night : null;
  }

  /** Whether the night that was chosen for the load of a connection has come: nobody need be there to see it. */
  isNight(connectionId: string): boolean {
    const night = this.#nights()[connectionId];
    return night !== undefined && night <= this.#now();
  }

  /** Whether a load may begin. Tells its size and time, and asks, unless it is night or was said before. */
  async mayBegin(connectionId: string, estimate: LoadEstimate, tellWaits: () => void): Promise<boolean> {
    const now = this.#now();
    const night = nextQuietTime(now);
    if (!estimate.large || night <= now || this.#wanted.has(connectionId)) return true;
    const choice = await new Promise<'now' | 'tonight'>((resolve, reject) => {
      this.#asked = { connectionId, loadNow: () => resolve('now') };
      tellWaits();
      askAboutLargeLoad(estimate).then(resolve, reject);
    }).finally(() => {
      this.#asked = undefined;
    });
    await this.#remember(connectionId, choice === 'now' ? null : night);
    return choice === 'now';
  }

  /** A person who was told size and time wants it now, whatever was said before. */
  async beginNow(connectionId: string): Promise<void> {
    if (this.waitsFor(connectionId) === null) return;
    this.#wanted.add(connectionId);
    if (this.#asked?.connectionId === connectionId) this.#asked.loadNow();
    await this.end(connectionId);
  }

  /** The library was loaded: nothing waits any more. */
  async end(connectionId: string): Promise<void> {
    if (this.#nights()[connectionId] !== undefined) await this.#remember(connectionId, null);
  }

  #nights(): Readonly<Record<string, number>> {
    return this.#memory.get<Readonly<Record<string, number>>>(memoryKey, {});
  }

  async #remember(connectionId: string, night: number | null): Promise<void> {
    const { [connectionId]: _, ...others } = this.#nights();
    await this.#memory.update(memoryKey, night === null ? others : { ...others, [connectionId]: night });
  }
}

/** Tells size and time of a large first load, and asks whether it should run now or in the night (LIM-4). */
async function askAboutLargeLoad({ reports, seconds }: LoadEstimate): Promise<'now' | 'tonight'> {
  const now = vscode.l10n.t('Load Now');
  const tonight = vscode.l10n.t('Tonight, 00:00 to 06:00 UTC');
  const choice = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'Your licence includes about {0} reports. Loading their metadata takes about {1}; the service asks that large loads run at night. Companies that you open are loaded immediately either way.',
      countText(reports),
      duration(seconds * 1000),
    ),
    now,
    tonight,
  );
  return choice === now ? 'now' : 'tonight';
}
