import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/disposable.ts';
import { resultsPanel } from '../../../../src/editor/panels/resultsPanel.ts';
import { type ResultsView, resolveProtocol, resultsViewSchema } from '../../../../src/protocol/results.ts';
import { resolveRows } from '../../../../src/protocol/resultsView.ts';
import { openPanel, settled } from '../../../support/panels/openPanel.ts';
import { manyResolved } from '../../../support/panels/resolved.ts';

const cost = { distinct: 8, kept: 0, requests: 1, oldest: null };

/** The results panel over so many entries, as the page meets it. */
function opened(count: number) {
  const entries = manyResolved(count);
  const input = { subject: 'companies', entries, cost, origin: { words: null, column: null } } as const;
  const page = openPanel();
  const onDidTakeInput = new Emitter<void>();
  const document = { key: { kind: 'results', subject: 'companies' }, input, onDidTakeInput: onDidTakeInput.event };
  resultsPanel(
    page.panel,
    {} as Parameters<typeof resultsPanel>[1],
    document as unknown as Parameters<typeof resultsPanel>[2],
  );
  const say = (name: string) => page.say({ kind: 'event', name, data: null });
  const names = () => page.told.map(({ name }) => name);
  const takeInput = (more: number) => {
    document.input = { ...input, entries: manyResolved(more) };
    onDidTakeInput.fire();
  };
  return { ...page, entries, tell: say, names, takeInput };
}

describe('the results panel', () => {
  it('begins a long list with the first rows, which the whole holds too, and sends the rest when it is asked for', async () => {
    const panel = opened(10_000);
    panel.tell('ready');
    await settled();
    assert.deepEqual(panel.names(), ['start']);
    const start = resolveProtocol.page.events.start.parse(panel.last('start'));
    const rows = resolveRows(panel.entries);
    assert.equal(start.total, 10_000);
    assert.ok(start.view.rows.length >= 100 && start.view.rows.length < 200);
    assert.deepEqual(start.view.rows, rows.slice(0, start.view.rows.length));
    const statuses = Object.entries(Object.groupBy(rows, ({ status }) => status));
    assert.deepEqual(start.counts, Object.fromEntries(statuses.map(([status, of]) => [status, of.length])));
    panel.tell('rest');
    await settled();
    const whole: ResultsView = resultsViewSchema.parse(panel.last('show'));
    assert.deepEqual(whole.rows, rows);
    assert.deepEqual(panel.names(), ['start', 'show', 'input']);
    panel.close();
  });

  it('sends a page that has all rows all rows again, and a page that is made anew begins as the first did', async () => {
    const panel = opened(10_000);
    for (const name of ['ready', 'rest']) {
      panel.tell(name);
      await settled();
    }
    panel.takeInput(10_001);
    await settled();
    assert.deepEqual(panel.names(), ['start', 'show', 'input', 'show', 'input']);
    panel.tell('ready');
    await settled();
    assert.equal(panel.names().at(-1), 'start');
    panel.close();
  });

  it('sends a short list whole', async () => {
    const panel = opened(400);
    panel.tell('ready');
    await settled();
    assert.deepEqual(panel.names(), ['show', 'input']);
    panel.close();
  });
});
