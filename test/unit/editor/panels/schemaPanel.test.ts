import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/disposable.ts';
import { schemaPanel } from '../../../../src/editor/panels/schemaPanel.ts';
import { openPanel } from '../../../support/panels/openPanel.ts';

/** The schema dictionary as its page meets it; the service never answers. */
function opened() {
  const page = openPanel();
  const never = () => new Promise<never>(() => {});
  const taken = new Emitter<void>();
  const document: Parameters<typeof schemaPanel>[2] = { input: undefined, onDidTakeInput: taken.event };
  const ports = { services: { call: never, library: never } } as unknown as Parameters<typeof schemaPanel>[1];
  schemaPanel(page.panel, ports, document);
  return {
    ...page,
    ready: () => page.say({ kind: 'event', name: 'ready', data: null }),
    openFor(column: string) {
      document.input = { column };
      taken.fire();
    },
    revealed: () => page.told.flatMap(({ name, data }) => (name === 'go' ? [Reflect.get(data as object, 'row')] : [])),
  };
}

describe('the schema dictionary', () => {
  it('goes to a column once, also when its page is made anew', () => {
    const panel = opened();
    panel.ready();
    panel.openFor('std_gri');
    assert.deepEqual(panel.revealed(), ['std_gri']);
    panel.ready();
    assert.deepEqual(panel.revealed(), ['std_gri']);
    panel.openFor('std_gri');
    assert.deepEqual(panel.revealed(), ['std_gri', 'std_gri']);
    panel.close();
  });

  it('goes to a column that was asked for while it was out of sight', () => {
    const panel = opened();
    panel.ready();
    panel.show(false);
    panel.openFor('std_gri');
    panel.show(true);
    panel.ready();
    assert.equal(panel.revealed().length, 2);
    panel.ready();
    assert.equal(panel.revealed().length, 2);
    panel.close();
  });
});
