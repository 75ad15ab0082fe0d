import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { heldLibrary, openTable } from './support/tablePanel.ts';

describe('what is selected in the table of all reports', () => {
  const { executeCommand } = vscode.commands;
  afterEach(() => {
    Object.assign(vscode.commands, { executeCommand });
  });

  /** A table whose next ranges wait until `held.end()`. */
  async function held() {
    const { library, held } = heldLibrary();
    const table = await openTable(undefined, {}, library);
    await table.tell('ready', null);
    const { version, rows } = table.view();
    const select = (how: string, from: number, to = from) => table.call('select', { version, how, from, to });
    return { ...table, held, select, ids: rows.map(({ id }) => id) };
  }

  it('stays for the menu of a row in it, and is that row alone for the menu of another', async () => {
    const { select, close } = await held();
    await select('only', 2, 5);
    assert.deepEqual(await select('keep', 3), { count: 4, isAll: false, isStarred: false });
    assert.deepEqual(await select('keep', 8), { count: 1, isAll: false, isStarred: false });
    await select('all', 0);
    assert.deepEqual(await select('keep', 8), { count: 250, isAll: true, isStarred: false });
    close();
  });

  it('counts a row that was added just before its menu was asked for', async () => {
    const { select, held: library, ran, call, ids, close } = await held();
    await select('only', 2, 5);
    library.begin();
    void select('toggle', 8);
    void select('keep', 8);
    library.end();
    await call('run', { action: 'exportReports' });
    assert.deepEqual(ran.at(-1), ['exportReports', [2, 3, 4, 5, 8].map((at) => ids[at])]);
    close();
  });

  it('is what was asked for last, and what is done with it waits for that', async () => {
    const { select, held: library, ran, call, ids, close } = await held();
    library.begin();
    void select('only', 2);
    void select('all', 0);
    void call('run', { action: 'exportReports' });
    void select('only', 4);
    void call('star', { id: ids[4] });
    library.end();
    assert.deepEqual(await select('toggle', 6), { count: 2, isAll: false, isStarred: false });
    const [exported, starred] = ran as [string, number[]][];
    assert.deepEqual([exported?.[0], starred?.[0]], ['exportReports', 'toggleFavourite']);
    assert.equal(exported?.[1].length, 250);
    assert.deepEqual(starred?.[1], [ids[4]]);
    close();
  });
});
