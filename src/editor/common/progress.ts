import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { byteSize, countText } from '../../base/words.ts';

/** Work that takes longer than this, in ms, is told of. */
const quick = 500;

/** How far work is: words for now, and how much of 100 has come on top. */
interface ProgressStep {
  readonly message?: string;
  readonly increment?: number;
}

/**
 * Runs work under a cancellable progress notification; the signal aborts when the user cancels. It comes only when the
 * work takes a while: the editor never draws a fourth message within 800 ms, and that one may tell the end.
 */
export async function withCancellableProgress<T>(
  title: string,
  work: (signal: AbortSignal, report: vscode.Progress<ProgressStep>) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  let shown: vscode.Progress<ProgressStep> | undefined;
  let early: ProgressStep = {};
  const report = (step: ProgressStep) => {
    if (shown) shown.report(step);
    else early = { ...early, ...step, increment: (early.increment ?? 0) + (step.increment ?? 0) };
  };
  const running = work(abort.signal, { report });
  const isQuick = await Promise.race([running.then(() => true), systemClock.sleep(quick).then(() => false)]);
  if (isQuick) return running;
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (progress, token) => {
      shown = progress;
      shown.report(early);
      const subscription = token.onCancellationRequested(() => abort.abort());
      try {
        return await running;
      } finally {
        subscription.dispose();
      }
    },
  );
}

/** "2.1 MB of 5.0 MB", or as much of it as is known. */
export function bytesText(received: number, total: number | null): string {
  const size = (bytes: number) => byteSize(bytes, vscode.env.language);
  return total === null ? size(received) : vscode.l10n.t('{0} of {1}', size(received), size(total));
}

/** The same for work that counts: the notification says how many of all are done. */
export function withCountedProgress<T>(
  title: string,
  work: (signal: AbortSignal, onProgress: (done: number, total: number) => void) => Promise<T>,
): Promise<T> {
  return withCancellableProgress(title, (signal, progress) => {
    let told = -1;
    return work(signal, (done, total) => {
      const percent = Math.floor((done / total) * 100);
      if (total === 0 || percent === told) return;
      const message = vscode.l10n.t('{0} of {1}', countText(done), countText(total));
      progress.report({ message, increment: percent - Math.max(told, 0) });
      told = percent;
    });
  });
}

/** Runs work whose signal aborts when the editor no longer wants the answer. */
export async function abortable<T>(
  token: vscode.CancellationToken,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const subscription = token.onCancellationRequested(() => controller.abort());
  try {
    return await work(controller.signal);
  } finally {
    subscription.dispose();
  }
}

export function withViewProgress<T>(viewId: string, work: () => Promise<T>): Thenable<T> {
  return vscode.window.withProgress({ location: { viewId } }, work);
}
