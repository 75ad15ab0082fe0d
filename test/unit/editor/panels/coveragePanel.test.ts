import assert from 'node:assert/strict';
import { coverageMarks } from '../../../../src/api/schemas/reportTypes.ts';
import { Emitter } from '../../../../src/base/disposable.ts';
import { coveragePanel, coverageView, hereQuery } from '../../../../src/editor/panels/coveragePanel.ts';
import type { LibraryCalls } from '../../../../src/library/library.ts';
import type { CoverageScope } from '../../../../src/protocol/coverage.ts';
import { sampleCoverage } from '../../../support/panels/coverage.ts';
import { openPanel, settled } from '../../../support/panels/openPanel.ts';
import { bring, openInMemory } from '../../library/support/stores.ts';
import { report } from '../../library/support/wireReports.ts';

const { file, downloaded, changed } = coverageMarks;

describe('the coverage panel’s view', () => {
  it('is the library’s matrix with what is in the workspace', () => {
    const store = openInMemory();
    const given = (n: number, year: number) =>
      report(n, { report_fcyear: year, report_type: 'SR', has_file: true, company_name: 'A\u202EB' });
    bring(store, [given(1, 2022), given(2, 2023), given(3, 2024)]);
    const ids = [1, 2, 3].map((n) => given(n, 2024).report_id);
    const files = new Map<number, string | null>([
      [ids[0] ?? 0, given(1, 2022).content_sha256],
      [ids[1] ?? 0, 'ab'.repeat(32)],
      [999, null],
    ]);
    const matrix = store.coverage();
    const local = { reports: store.summaries([...files.keys()]), files };
    const view = coverageView(matrix, local, { scope: 'filter', filterWords: 'SR \u0007' });
    assert.deepEqual(view.years, [2022, 2023, 2024]);
    assert.deepEqual([view.here[0], view.here[5], view.here[10]], [1, 1, 0]);
    assert.deepEqual([view.marks[0], view.marks[5], view.marks[10]], [file | downloaded, file | changed, file]);
    assert.deepEqual([view.names, view.filterWords], [['A⟨U+202E⟩B'], 'SR ⟨U+0007⟩']);
  });

  it('counts a PDF that the service took back among those that there are', () => {
    const store = openInMemory();
    const given = (n: number, has_file: boolean) =>
      report(n, { report_fcyear: 2024, report_type: 'SR', has_file, company_key: 'XFRA_A' });
    const reports = [given(1, true), given(2, false), given(3, false)];
    bring(store, reports);
    const files = new Map(reports.slice(0, 2).map(({ report_id }) => [report_id, null]));
    const local = { reports: store.summaries([...files.keys()]), files };
    const view = coverageView(store.coverage(), local, { scope: 'watchlist', filterWords: null });
    assert.deepEqual([view.counts[0], view.pdfs[0], view.here[0]], [3, 2, 2]);
  });

  it('marks nothing where a filter shows nothing', () => {
    const store = openInMemory();
    const sr = report(1, { report_fcyear: 2024, report_type: 'SR', has_file: true });
    const ir = report(2, { report_fcyear: 2024, report_type: 'IR', has_file: true });
    bring(store, [sr, ir]);
    const matrix = store.coverage({ type: ['IR'] });
    const files = new Map([[sr.report_id, null]]);
    const local = { reports: store.summaries([sr.report_id]), files };
    const view = coverageView(matrix, local, { scope: 'filter', filterWords: 'IR' });
    assert.deepEqual([...view.marks], [0, file, 0, 0, 0]);
  });

  it('counts as here only what the filter shows', () => {
    const store = openInMemory();
    const given = (n: number, language: string) =>
      report(n, {
        report_fcyear: 2024,
        report_type: 'SR',
        has_file: true,
        report_lang: language,
        company_key: 'XFRA_A',
      });
    const [german, english] = [given(1, 'de'), given(2, 'en')];
    bring(store, [german, english]);
    const files = new Map([german, english].map(({ report_id }) => [report_id, null]));
    const query = { language: ['de'] };
    const found = store.reportIds(hereQuery(query, [...files.keys()]));
    assert.deepEqual(found, [german.report_id]);
    const local = { reports: store.summaries(found), files };
    const view = coverageView(store.coverage(query), local, { scope: 'filter', filterWords: 'de' });
    assert.deepEqual([view.counts[0], view.here[0]], [1, 1]);
    assert.deepEqual(
      store.reportIds(hereQuery({ among: [{ ids: [...files.keys()], is: false }] }, [...files.keys()])),
      [],
    );
  });
});

describe('the coverage panel', () => {
  /** The panel over so many companies, as the page meets it. */
  function opened(companies: number, kept?: CoverageScope) {
    const page = openPanel();
    const fault: { reason?: string | undefined } = {};
    const taken = new Emitter<void>();
    const document: Parameters<typeof coveragePanel>[2] = { input: undefined, onDidTakeInput: taken.event };
    const matrix = sampleCoverage(companies);
    const asked: string[] = [];
    const library = {
      coverage: async (query?: unknown) => {
        if (query === undefined) return structuredClone(matrix);
        asked.push('filter');
        if (fault.reason !== undefined) throw new Error(fault.reason);
        return structuredClone(matrix);
      },
    } as unknown as LibraryCalls;
    const ports = {
      services: { library: async () => ({ library: { withSignal: () => library } }) },
      sync: { start() {} },
      localFiles: async () => new Map(),
      reportsFilter: async () => ({ query: {}, words: 'SR' }),
      extension: { workspaceState: { get: () => kept, update: async () => {} } },
    };
    coveragePanel(page.panel, ports as unknown as Parameters<typeof coveragePanel>[1], document);
    const done = async () => {
      for (let turn = 0; turn < 5; turn++) await settled();
    };
    const tell = async (name: string, data: unknown = null) => {
      page.say({ kind: 'event', name, data });
      await done();
    };
    /** Chooses a scope in the page; gives why it can't be shown. */
    const choose = async (scope: CoverageScope) => {
      page.say({ kind: 'call', id: 1, name: 'setScope', params: { scope } });
      await done();
      return page.told.findLast(({ id }) => id === 1)?.message;
    };
    /** The panel is opened again, for a scope. */
    const openFor = async (scope: CoverageScope) => {
      document.input = { scope };
      taken.fire();
      await done();
    };
    const names = () => page.told.map(({ name }) => name);
    return { ...page, asked, document, fault, done, tell, choose, openFor, names };
  }

  it('sends the matrix of the companies that were chosen before the window was reloaded', async () => {
    const panel = opened(5, 'filter');
    await panel.tell('ready');
    assert.deepEqual([panel.asked, panel.names()], [['filter'], ['show']]);
    assert.equal(panel.last('show')?.scope, 'filter');
    panel.close();
  });

  it('shows nothing of a connection any longer than until another one is in use', async () => {
    const panel = opened(5);
    await panel.tell('ready');
    await panel.openFor('filter');
    panel.fault.reason = 'You are signed out.';
    panel.change({ kind: 'session' });
    await panel.done();
    assert.deepEqual(panel.last('problem'), { message: 'You are signed out.' });
    panel.close();
  });

  it('keeps what it shows when the chosen companies can not be read, and tells why', async () => {
    const panel = opened(5);
    await panel.tell('ready');
    panel.fault.reason = 'The disk does not answer.';
    assert.equal(await panel.choose('filter'), 'The disk does not answer.');
    assert.deepEqual(panel.document.input, { scope: 'watchlist' });
    panel.fault.reason = undefined;
    assert.equal(await panel.choose('filter'), undefined);
    assert.equal(panel.last('show')?.scope, 'filter');
    panel.close();
  });

  it('says why it can not show the companies that it is opened for, until it can', async () => {
    const panel = opened(5);
    await panel.tell('ready');
    panel.fault.reason = 'The disk does not answer.';
    await panel.openFor('filter');
    await panel.tell('retry');
    assert.deepEqual(panel.names(), ['show', 'problem', 'problem']);
    panel.fault.reason = undefined;
    await panel.tell('retry');
    assert.equal(panel.last('show')?.scope, 'filter');
    panel.close();
  });
});
