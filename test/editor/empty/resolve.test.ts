import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activated, type SharedDemo, sharedDemo } from '../../support/editor/demo.ts';
import { panelTab } from '../../support/editor/tabs.ts';

interface Resolved {
  readonly query: string;
  readonly identifier_type: string;
  readonly matched: boolean;
  readonly entitled: boolean | null;
  readonly ambiguous: boolean;
  readonly company: { readonly company_key: string } | null;
}

describe('Resolve Identifiers… run by a program', () => {
  let demo: SharedDemo;

  before(async () => {
    demo = await sharedDemo(await activated());
  });

  after(async () => {
    await vscode.commands.executeCommand('reportLibrary.signOut');
  });

  it('gives one result an identifier, in input order, and guesses nothing', async () => {
    const queries = ['XLON:BYYFX', 'DE000A99ALB2', 'Orlestone Group', 'XLON:GONE', 'DE000A99ALB3', 'Altenbruch AG'];
    const results = await vscode.commands.executeCommand<Resolved[]>('reportLibrary.resolveIdentifiers', queries);
    assert.deepEqual(
      results.map(({ query, identifier_type, matched, entitled, ambiguous, company }) => [
        ...[query, identifier_type, matched, entitled, ambiguous],
        company?.company_key ?? null,
      ]),
      [
        ['XLON:BYYFX', 'ticker', true, false, false, null],
        ['DE000A99ALB2', 'isin', true, true, false, 'XETR_ALBM'],
        ['Orlestone Group', 'name', false, null, true, null],
        ['XLON:GONE', 'ticker', false, null, false, null],
        ['DE000A99ALB3', 'isin', false, null, false, null],
        ['Altenbruch AG', 'name', true, true, false, 'XETR_ALBM'],
      ],
    );
    assert.equal(demo.control.log.to('POST /companies/resolve').length, 1);
  });

  it('shows what became of the identifiers that a panel gives', async () => {
    await vscode.commands.executeCommand('reportLibrary.resolveIdentifiers', { identifiers: ['DE000A99ALB2'] });
    assert.ok(await panelTab('reportLibrary.resolvePanel'));
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('asks the service nothing for an empty list', async () => {
    const asked = demo.control.log.entries.length;
    assert.deepEqual(await vscode.commands.executeCommand('reportLibrary.resolveIdentifiers', []), []);
    assert.equal(demo.control.log.entries.length, asked);
  });
});
