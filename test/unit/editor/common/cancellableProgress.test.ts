import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { App } from '../../../../src/app/app.ts';
import { withCancellableProgress } from '../../../../src/editor/common/progress.ts';
import { readChosen } from '../../../../src/editor/documents/reports.ts';
import { withoutWaits } from '../../../support/noWaits.ts';

describe('work with a progress that can be cancelled', () => {
  withoutWaits();
  it('gives its result, and shows nothing, when it is quick', async () => {
    assert.equal(await withCancellableProgress('Reading', async () => 7), 7);
    await assert.rejects(
      withCancellableProgress('Reading', async () => {
        throw new Error('No.');
      }),
      /No\./,
    );
  });

  it('tells how far it came before it was shown, and after', async () => {
    const steps: unknown[] = [];
    const { withProgress } = vscode.window;
    const drawn = Promise.withResolvers<void>();
    const patient = async (_: unknown, work: (progress: unknown, token: unknown) => Promise<unknown>) => {
      const running = work(
        { report: (step: unknown) => steps.push(step) },
        { onCancellationRequested: () => ({ dispose() {} }) },
      );
      drawn.resolve();
      return running;
    };
    Object.assign(vscode.window, { withProgress: patient });
    try {
      await withCancellableProgress('Reading', async (_, progress) => {
        progress.report({ message: '1 of 4', increment: 25 });
        progress.report({ increment: 25 });
        await drawn.promise;
        progress.report({ message: '3 of 4', increment: 25 });
      });
    } finally {
      Object.assign(vscode.window, { withProgress });
    }
    assert.deepEqual(steps, [
      { message: '1 of 4', increment: 50 },
      { message: '3 of 4', increment: 25 },
    ]);
  });

  it('lets a person cancel the reading of reports for a document that takes long', async () => {
    const reports = (_: unknown, signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const chosen = { ids: [1, 2], inHand: new Map() };
    const reading = readChosen({ downloads: { open: async () => ({ reports }) } } as unknown as App, chosen);
    await assert.rejects(reading, { name: 'AbortError' });
  });
});
