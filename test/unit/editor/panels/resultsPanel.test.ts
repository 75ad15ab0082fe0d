import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/disposable.ts';
import { resultsPanel } from '../../../../src/editor/panels/resultsPanel.ts';
import { openPanel, settled } from '../../../support/panels/openPanel.ts';

const cost = { distinct: 8, kept: 0, requests: 1, oldest: null };

type Ports = Parameters<typeof resultsPanel>[1];
type Batch = Awaited<ReturnType<Ports['resolve']>>;

/** What the panels of the same results share, and panels of it. */
function splitPanels(input: unknown, ports: Partial<Ports>) {
  const taken = new Emitter<void>();
  const document = {
    key: { kind: 'results', subject: 'companies' },
    input,
    onDidTakeInput: taken.event,
    takeInput(results: unknown) {
      document.input = results;
      taken.fire();
    },
  };
  const open = () => {
    const page = openPanel();
    resultsPanel(page.panel, ports as Ports, document as unknown as Parameters<typeof resultsPanel>[2]);
    const tell = async (name: string, data: unknown = null) => {
      page.say({ kind: 'event', name, data });
      await settled();
    };
    const call = async (act: string, at: unknown) => {
      page.say({ kind: 'call', id: 1, name: 'act', params: { act, at } });
      await settled();
    };
    const change = async () => {
      page.change({ kind: 'session' });
      await settled();
    };
    return { ...page, tell, call, change };
  };
  return { document, open };
}

describe('the panels of the same results', () => {
  const entryOf = (query: string) => ({ query, result: null, problem: 'not an identifier' });
  const batchOf = (queries: readonly string[]): Batch => ({ entries: queries.map(entryOf), cost });
  const asked = { subject: 'companies', ...batchOf(['a', 'b']), origin: { words: null, column: null } };

  it('ask once after a reload of the window, though the session is known before the page has told what was asked', async () => {
    const questions: (readonly string[])[] = [];
    const resolve: Ports['resolve'] = async (queries) => {
      questions.push(queries);
      return batchOf(queries);
    };
    const panel = splitPanels(undefined, { resolve }).open();
    await panel.tell('ready');
    await panel.change();
    await panel.call('restore', ['a', 'b']);
    assert.deepEqual(panel.last('show')?.keeps, ['a', 'b']);
    assert.deepEqual(questions, [['a', 'b']]);
    panel.close();
  });

  it('say once more that nothing is known, to a person who tries again after the session changed', async () => {
    const panel = splitPanels(undefined, {}).open();
    await panel.tell('ready');
    await panel.call('restore', []);
    await panel.change();
    await panel.tell('retry');
    assert.deepEqual(
      panel.told.flatMap(({ kind, name }) => (kind === 'event' ? [name] : [])),
      ['problem', 'problem'],
    );
    panel.close();
  });

  it('build on what the other one refined, and show it', async () => {
    const refine: Ports['refine'] = async (before) => {
      return { entries: [{ ...before, refined: { text: 'other', before } }], cost };
    };
    const { document, open } = splitPanels(asked, { refine });
    const [left, right] = [open(), open()];
    await left.tell('ready');
    await right.tell('ready');
    await left.call('refine', 1);
    await right.call('refine', 2);
    const { entries } = document.input as { entries: readonly { readonly refined?: unknown }[] };
    assert.deepEqual(
      entries.map(({ refined }) => refined !== undefined),
      [true, true],
    );
    assert.ok(left.last('show'));
    assert.deepEqual(left.last('show'), right.last('show'));
    left.close();
    right.close();
  });
});
