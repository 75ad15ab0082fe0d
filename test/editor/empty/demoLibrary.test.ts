import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestHandles } from '../../../src/extension.ts';
import { activated } from '../../support/editor/demo.ts';
import { settledTree, treeText } from '../../support/editor/treeText.ts';

describe('the demo library', () => {
  let handles: TestHandles;

  before(async () => {
    handles = await activated();
  });

  after(async () => {
    await vscode.commands.executeCommand('reportLibrary.signOut');
  });

  it('is not opened before somebody asks for it', async () => {
    assert.deepEqual(await handles.services.ready(), { kind: 'signedOut' });
    assert.deepEqual(await treeText(handles.watchlist), []);
  });

  it('opens with one command, and its companies have fiscal years and reports', async () => {
    await vscode.commands.executeCommand('reportLibrary.openDemoLibrary');
    assert.equal(handles.services.session.kind, 'signedIn');
    const companies = await settledTree(handles.watchlist, 24);
    assert.equal(companies.length, 24);
    const [first] = companies;
    assert.ok(first);
    assert.match(String((await treeText(handles.watchlist, undefined, 1))[0]), /^Aarhorn Pharma AG( \| \d+)?$/);
    const years = await treeText(handles.watchlist, first);
    assert.deepEqual(years.slice(-2), [
      ['FY 2016 | 2 reports', 'Sustainability Report | German', 'Annual Report | German'],
      ['Undated | 1 report', 'Code of Conduct | no PDF · German'],
    ]);
  });

  it('is remembered by the secret storage: what is read from there again is the demo', async () => {
    const session = await handles.services.reload();
    assert.equal(session.kind === 'signedIn' && session.connection.isDemo, true);
  });

  it('is gone after signing out, and so is the tree', async () => {
    await vscode.commands.executeCommand('reportLibrary.signOut');
    assert.deepEqual(handles.services.session, { kind: 'signedOut' });
    assert.deepEqual(await treeText(handles.watchlist), []);
    assert.deepEqual(await handles.services.reload(), { kind: 'signedOut' });
  });

  it('refuses work with the next step when nobody is signed in', async () => {
    await assert.rejects(
      async () => vscode.commands.executeCommand('reportLibrary.resolveIdentifiers', ['XETR:ALBM']),
      /You are not signed in\. Sign in with your key, or open the demo library\./,
    );
  });
});
