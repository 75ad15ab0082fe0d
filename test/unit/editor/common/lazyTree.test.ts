import assert from 'node:assert/strict';
import { setImmediate as afterEvents } from 'node:timers/promises';
import { Emitter } from '../../../../src/base/disposable.ts';
import { LazyTree } from '../../../../src/editor/common/lazyTree.ts';

describe('a tree that is loaded when it is shown', () => {
  const changed = new Emitter<string | undefined>();
  const made = () => {
    const answers: ((rows: string[]) => void)[] = [];
    const lazy = new LazyTree<string, never>(
      async () =>
        ({
          onDidChangeTreeData: changed.event,
          getChildren: (node?: string) =>
            node ? [`${node} below`] : new Promise<string[]>((resolve) => answers.push(resolve)),
          getTreeItem: (label: string) => ({ label }),
          dispose() {},
        }) as never,
    );
    const told: (string | undefined)[] = [];
    lazy.onDidChangeTreeData((node) => told.push(node as string | undefined));
    return { lazy, told, answers };
  };
  const events = async () => {
    await afterEvents();
    await afterEvents();
  };

  it('tells no change of all rows before the editor has asked for them', async () => {
    const { lazy, told } = made();
    await lazy.tree();
    changed.fire(undefined);
    await events();
    assert.deepEqual(told, []);
    lazy.dispose();
  });

  it('tells a change of all rows that comes while they are on their way once, when the editor has them', async () => {
    const { lazy, told, answers } = made();
    const [first, second] = [lazy.getChildren(), lazy.getChildren()];
    await lazy.tree();
    changed.fire(undefined);
    changed.fire(undefined);
    changed.fire('a row');
    assert.deepEqual(told, ['a row']);
    answers[0]?.(['one']);
    assert.deepEqual(await first, ['one']);
    await events();
    assert.deepEqual(told, ['a row']);
    answers[1]?.(['two']);
    assert.deepEqual(await second, ['two']);
    assert.deepEqual(told, ['a row']);
    await events();
    assert.deepEqual(told, ['a row', undefined]);
    changed.fire(undefined);
    assert.deepEqual(told, ['a row', undefined, undefined]);
    assert.deepEqual(await lazy.getChildren('a row'), ['a row below']);
    lazy.dispose();
  });
});
