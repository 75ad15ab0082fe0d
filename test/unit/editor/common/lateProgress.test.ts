import assert from 'node:assert/strict';
import { withLateProgress } from '../../../../src/editor/common/messages.ts';
import { type DocumentPorts, readChosen } from '../../../../src/editor/documents/ports.ts';

describe('work with a progress that comes late', () => {
  it('gives its result, and shows nothing, when it is quick', async () => {
    assert.equal(await withLateProgress('Reading', async () => 7), 7);
    await assert.rejects(
      withLateProgress('Reading', async () => {
        throw new Error('No.');
      }),
      /No\./,
    );
  });

  it('lets a person cancel the reading of reports for a document that takes long', async () => {
    const readReports = (_: unknown, signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const chosen = { ids: [1, 2], inHand: new Map() };
    const reading = readChosen({ readReports } as unknown as DocumentPorts, chosen);
    await assert.rejects(reading, { name: 'AbortError' });
  });
});
