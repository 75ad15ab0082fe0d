import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Report } from '../../../../src/api/schemas/report.ts';
import { noChange } from '../../../../src/library/libraryChange.ts';
import type { TableView } from '../../../../src/protocol/reportTable.ts';
import { heldLibrary, openTable, reports } from './support/tablePanel.ts';

const none = { count: 0, isAll: false, isStarred: false };

describe('the table of all reports', () => {
  const { executeCommand } = vscode.commands;
  afterEach(() => {
    Object.assign(vscode.commands, { executeCommand });
  });

  it('shows the first rows with how many there are', async () => {
    const { tell, view, close } = await openTable();
    await tell('ready', null);
    assert.deepEqual([view().count, view().total, view().rows.length], [250, 250, 100]);
    assert.equal(view().rows.filter(({ isHere }) => isHere).length <= 1, true);
    close();
  });

  it('sorts by a column, gives rows of that order alone, and remembers it for the next time', async () => {
    const { tell, call, view, workspace, close } = await openTable();
    await tell('ready', null);
    const before = view().version;
    await call('sort', { column: 'pages', descending: true });
    const pages = (rows: TableView['rows']) => rows.map(({ id }) => id);
    const sorted = [...reports]
      .sort((a, b) => (b.report_pages ?? 0) - (a.report_pages ?? 0))
      .map((one) => one.report_id);
    assert.deepEqual(pages(view().rows), sorted.slice(0, 100));
    const rows = await call('rows', { version: view().version, offset: 200 });
    assert.deepEqual(pages(rows as TableView['rows']), sorted.slice(200));
    assert.equal(await call('rows', { version: before, offset: 100 }), null);
    assert.deepEqual(Reflect.get(workspace.get('table.look') as object, 'order'), {
      column: 'pages',
      descending: true,
    });
    close();
  });

  it('takes a selection also while stars and files are read anew, but none of rows that may have moved', async () => {
    const { tell, call, change, view, close } = await openTable();
    await tell('ready', null);
    const { version } = view();
    const select = () => call('select', { version, how: 'toggle', from: 2, to: 2 });
    change({ kind: 'files', reportIds: [1] });
    change({ kind: 'favorites' });
    await tell('retry', null);
    assert.equal(view().version, version);
    assert.deepEqual(await select(), { count: 1, isAll: false, isStarred: false });
    change({ kind: 'library', change: { ...noChange, reports: [1] } });
    await tell('retry', null);
    assert.notEqual(view().version, version);
    assert.deepEqual(await select(), { count: 1, isAll: false, isStarred: false });
    close();
  });

  it('counts each facet as if its own choice were not made', async () => {
    const { tell, call, view, told, close } = await openTable({ type: ['SR'], facts: { standards_gri: true } });
    await tell('ready', null);
    await tell('open', { sections: ['type', 'standards', 'files'] });
    const section = (id: string) =>
      told.findLast(({ name, data }) => name === 'section' && Reflect.get(data as object, 'id') === id)?.data as {
        rows: { value: string; count: number; isOn: boolean }[];
        facts: { field: string; counts: number[]; answer: string | null }[];
      };
    const of = (wanted: (one: Report) => boolean) => reports.filter(wanted).length;
    const gri = (one: Report) => one.standards_gri === true;
    const types = section('type').rows.map(({ value, count, isOn }) => [value, count, isOn]);
    assert.deepEqual(Object.fromEntries(types.map(([type, count]) => [type, count])), {
      SR: of((one) => gri(one) && one.report_type === 'SR'),
      IR: of((one) => gri(one) && one.report_type === 'IR'),
    });
    const fact = section('standards').facts.find(({ field }) => field === 'standards_gri');
    const sr = (answer: boolean | null) => of((one) => one.report_type === 'SR' && one.standards_gri === answer);
    assert.deepEqual(fact?.counts, [sr(true), sr(false), sr(null)]);
    assert.equal(fact?.answer, 'yes');
    await call('narrow', { by: 'everything' });
    const here = section('files').facts.find(({ field }) => field === 'downloaded');
    assert.deepEqual([view().count, here?.counts], [250, [1, 249, 0]]);
    close();
  });

  it('selects a range, one more, all and all but one, by the reports and not by their places', async () => {
    const { tell, call, view, ran, close } = await openTable();
    await tell('ready', null);
    const ids = view().rows.map(({ id }) => id);
    const version = () => view().version;
    const select = (how: string, from = 0, to = 0) => call('select', { version: version(), how, from, to });
    assert.deepEqual(await select('only', 4, 2), { count: 3, isAll: false, isStarred: false });
    assert.deepEqual(await select('toggle', 9, 9), { count: 4, isAll: false, isStarred: false });
    await call('sort', { column: 'title', descending: false });
    await call('run', { action: 'exportReports' });
    assert.deepEqual(ran.at(-1), ['exportReports', [ids[2], ids[3], ids[4], ids[9]]]);
    await call('run', { action: 'resolveIdentifiers' });
    const isins = [2, 3, 4, 9].map((at) => reports.find(({ report_id }) => report_id === ids[at])?.company_isin);
    const [command, { identifiers }] = ran.at(-1) as [string, { identifiers: string[] }];
    assert.deepEqual([command, identifiers.sort()], ['resolveIdentifiers', [...new Set(isins)].sort()]);
    assert.deepEqual(await select('all'), { count: 250, isAll: true, isStarred: false });
    assert.deepEqual(await select('toggle', 0, 0), { count: 249, isAll: false, isStarred: false });
    await call('run', { action: 'downloadReports' });
    const [, all] = ran.at(-1) as [string, number[]];
    assert.deepEqual([all.length, all.includes(view().rows[0]?.id ?? 0)], [249, false]);
    assert.deepEqual(await call('select', { version: version() - 1, how: 'only', from: 0, to: 5 }), {
      count: 249,
      isAll: false,
      isStarred: false,
    });
    await call('narrow', { by: 'value', facet: 'type', value: 'SR' });
    assert.deepEqual(view().selection, none);
    assert.match(String(await call('run', { action: 'exportReports' })), /Select at least one report/);
    close();
  });

  it('copies what is selected, with a guard before what a spreadsheet would run', async () => {
    const { tell, call, view, copied, close } = await openTable({ text: '=1+1' });
    await tell('ready', null);
    await call('narrow', { by: 'everything' });
    await call('arrange', {
      columns: [
        { id: 'title', width: 100 },
        { id: 'standards_gri', width: 80 },
      ],
    });
    await call('sort', { column: 'pages', descending: false });
    await call('select', { version: view().version, how: 'only', from: 7, to: 8 });
    for (const form of ['csv', 'tsv', 'markdown']) await call('copyAs', { form });
    const [seventh, eighth] = [reports[7], reports[8]];
    assert.equal(
      copied[0],
      `report_id,title,std_gri\r\n${seventh?.report_id},"'=1+1",FALSE\r\n${eighth?.report_id},Report 8,\r\n`,
    );
    assert.equal(copied[1], copied[0]?.replaceAll(',', '\t'));
    assert.match(copied[2] ?? '', /\| Title \| GRI Standards \|/);
    assert.match(copied[2] ?? '', /\| Report 8 \| Undetermined \|/);
    close();
  });

  it('forgets at another connection what was selected, and drops ids that come from the one before', async () => {
    const { library, held } = heldLibrary();
    const { tell, call, view, change, ran, close } = await openTable(undefined, {}, library);
    await tell('ready', null);
    await call('select', { version: view().version, how: 'only', from: 0, to: 4 });
    held.begin();
    void call('select', { version: view().version, how: 'toggle', from: 7, to: 9 });
    await tell('open', { sections: [] });
    change({ kind: 'session' });
    await tell('open', { sections: [] });
    held.end();
    await tell('open', { sections: [] });
    assert.deepEqual(await call('select', { version: 0, how: 'all', from: 0, to: 0 }), none);
    assert.equal(view().rows.filter(({ isSelected }) => isSelected).length, 0);
    assert.match(String(await call('run', { action: 'downloadReports' })), /Select at least one report/);
    assert.deepEqual(ran, []);
    close();
  });

  it('selects nothing under a filter that is still being read', async () => {
    let wait: Promise<void> | undefined;
    const { tell, call, view, close } = await openTable(
      { type: ['SR'] },
      {
        localFiles: async () => {
          await wait;
          return new Map();
        },
      },
    );
    await tell('ready', null);
    const go = Promise.withResolvers<void>();
    wait = go.promise;
    void call('narrow', { by: 'everything' });
    const select = (how: string) => call('select', { version: view().version, how, from: 0, to: 3 });
    assert.deepEqual(await select('all'), none);
    assert.deepEqual(await select('only'), none);
    go.resolve();
    await tell('open', { sections: [] });
    assert.deepEqual([view().count, view().selection], [250, none]);
    assert.deepEqual(await select('all'), { count: 250, isAll: true, isStarred: false });
    close();
  });

  it('keeps what it shows when it can not be narrowed or sorted, and tells why', async () => {
    let isBroken = false;
    const { tell, call, view, workspace, close } = await openTable(
      { type: ['SR'] },
      {
        localFiles: async () => {
          if (isBroken) throw new Error('The disk does not answer.');
          return new Map();
        },
      },
    );
    await tell('ready', null);
    const { order } = view();
    isBroken = true;
    assert.equal(await call('narrow', { by: 'everything' }), 'The disk does not answer.');
    assert.equal(await call('sort', { column: 'pages', descending: true }), 'The disk does not answer.');
    assert.deepEqual(workspace.get('table.filter'), { type: ['SR'] });
    isBroken = false;
    assert.deepEqual(await call('select', { version: view().version, how: 'all', from: 0, to: 0 }), {
      count: 125,
      isAll: true,
      isStarred: false,
    });
    await call('narrow', { by: 'years', years: [2016] });
    assert.deepEqual(workspace.get('table.filter'), { type: ['SR'], fcyear: [2016] });
    assert.deepEqual([view().count, view().order], [25, order]);
    close();
  });

  it('keeps the filter over a reload of the window, and takes the one it is opened with', async () => {
    const first = await openTable();
    await first.tell('ready', null);
    await first.call('narrow', { by: 'years', years: [2020, 2021] });
    assert.deepEqual(first.workspace.get('table.filter'), { fcyear: [2020, 2021] });
    first.close();
    const again = await openTable(undefined, { extension: first.extension });
    await again.tell('ready', null);
    assert.equal(again.view().count, 50);
    again.close();
    const given = await openTable({ type: ['SR'] }, { extension: first.extension });
    await given.tell('ready', null);
    assert.equal(given.view().count, 125);
    given.close();
  });
});
