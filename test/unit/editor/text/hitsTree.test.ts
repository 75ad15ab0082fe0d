import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/disposable.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import type { Log } from '../../../../src/editor/common/log.ts';
import type { PdfHitsNode } from '../../../../src/editor/text/hitItems.ts';
import type { FoundPage } from '../../../../src/editor/text/hitList.ts';
import { PdfHitsTree } from '../../../../src/editor/text/hitsTree.ts';
import type { PdfText, PdfTextState } from '../../../../src/editor/text/pdfText.ts';
import { found, summary } from './support/foundPages.ts';

const question = { query: 'net', scope: { words: '' } };

describe('the view of hits', () => {
  let published: number[] = [];
  let asked: (string | null)[] = [];
  let state: PdfTextState = 'ready';
  let changed = new Emitter<void>();
  let view: Pick<vscode.TreeView<PdfHitsNode>, 'message' | 'visible'>;
  let tree: PdfHitsTree;
  /** Awaited before each part is given. */
  let hold = () => Promise.resolve();

  beforeEach(() => {
    [published, asked, changed, state] = [[1, 2], [], new Emitter(), 'ready'];
    hold = () => Promise.resolve();
    const text = {
      onDidChange: changed.event,
      answers: ({ report }: FoundPage) => published.includes(report.report_id),
      async find(_: unknown, { cursor }: { readonly cursor: string | null }) {
        asked.push(cursor);
        const pages = published.map((id) => found(summary(id), asked.length));
        await hold();
        return { pages, next: 'more', terms: ['net'] };
      },
      state: async () => state,
      coverage: async () => ({
        ...{ searchable: published.length, withoutText: 0, failed: 0, waiting: 0, reading: null, paused: null },
        ...{ others: [], lists: { withoutText: [], failed: [], waiting: [], partly: [] } },
      }),
      index: async () => ({ bytes: async () => 1 }),
    } as unknown as PdfText;
    const never = () => ({ dispose() {} });
    // Hidden: nobody looks at it.
    view = { message: '', visible: false };
    tree = new PdfHitsTree(
      text,
      Object.assign(view, { reveal: never, onDidChangeVisibility: never }) as never,
      silentLogger as Log,
    );
  });

  afterEach(() => tree.dispose());

  const shown = () => tree.list?.hits.map(({ report, found: { page } }) => [report.report_id, page]);

  it('loses what is an answer no more, though nobody looks at it', async () => {
    await tree.ask(question);
    await tree.more();
    assert.equal(shown()?.length, 4);
    published = [2];
    changed.fire();
    assert.deepEqual(shown(), [
      [2, 1],
      [2, 2],
    ]);
    assert.match(view.message?.toString() ?? '', /2 pages in 1 report/);
    published = [];
    changed.fire();
    assert.equal(tree.list, undefined);
  });

  it('shows nothing that stopped being an answer while it was on its way', async () => {
    hold = async () => {
      published = [2];
      changed.fire();
    };
    await tree.ask(question);
    assert.deepEqual(shown(), [[2, 1]]);
    published = [1, 2];
    await tree.more();
    assert.deepEqual(shown(), [
      [2, 1],
      [2, 2],
    ]);
  });

  it('forgets its answer where nothing is searched any more', async () => {
    for (const left of ['off', 'none', 'signedOut'] as const) {
      state = 'ready';
      await tree.ask({ query: 'net', scope: { words: 'Aarhorn' } });
      assert.equal((await tree.getChildren()).length, 4);
      assert.equal(view.message, 'net · The newest 2 pages in 2 reports · Aarhorn');
      state = left;
      assert.deepEqual(await tree.getChildren(), []);
      assert.deepEqual([view.message, tree.list], ['', undefined]);
    }
  });
});
