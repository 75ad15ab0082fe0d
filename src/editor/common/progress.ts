import * as vscode from 'vscode';

/** Runs work under a cancellable progress notification; the signal aborts when the user cancels. */
export function withCancellableProgress<T>(
  title: string,
  work: (signal: AbortSignal, report: vscode.Progress<{ message?: string; increment?: number }>) => Promise<T>,
): Thenable<T> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (progress, token) => {
      const controller = new AbortController();
      const subscription = token.onCancellationRequested(() => controller.abort());
      try {
        return await work(controller.signal, progress);
      } finally {
        subscription.dispose();
      }
    },
  );
}

/** Runs work under a view's own progress bar. */
export function withViewProgress<T>(viewId: string, work: () => Promise<T>): Thenable<T> {
  return vscode.window.withProgress({ location: { viewId } }, work);
}
