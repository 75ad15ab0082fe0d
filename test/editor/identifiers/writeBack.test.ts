import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { savedAsSet, writeBack } from '../../../src/editor/resolve/resultActions.ts';
import { recognize } from '../../../src/identifiers/recognize.ts';
import type { ResolveEntry } from '../../../src/panels/lookups.ts';
import { openFile } from '../../support/editor/documents.ts';

function entry(query: string, company_key: string | null, company_name = 'Name, Ltd'): ResolveEntry {
  const company =
    company_key === null
      ? null
      : {
          ...{ company_key, company_name, isin: null, lei: null, figi: null, cik: null, fiscal_year_end_month: null },
          ...{ ticker: null, mic: null, exchange: null, country: null, sector: null, industry: null, other: {} },
        };
  const matched = company !== null;
  const identifier_type = recognize(query).kind;
  return {
    query,
    problem: null,
    result: { query, identifier_type, matched, entitled: matched ? true : null, ambiguous: false, company },
  };
}

type Questions = NonNullable<Parameters<typeof writeBack>[2]>;

/** A person who takes the columns that are suggested. */
const answering = (formulas: Questions['formulas']): Questions => ({
  columns: async (suggested) => suggested,
  formulas,
  update: async () => assert.fail('These columns are new.'),
  copy: async () => assert.fail('The editor keeps these line breaks.'),
});
const noQuestion = answering(async () => assert.fail('Nothing had to be asked.'));

describe('Writing back into a CSV document', () => {
  const restore = async (document: vscode.TextDocument) => {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  };

  const autoSave = (value: string | undefined) =>
    vscode.workspace.getConfiguration('files').update('autoSave', value, vscode.ConfigurationTarget.Global);
  // A browser's editor saves after a second: on a busy machine, before a test takes its columns back.
  before(() => autoSave('off'));
  after(async () => {
    await autoSave(undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('adds two columns, changes nothing else, saves nothing, and is undone in one step', async () => {
    const document = await openFile('portfolio.csv');
    const original = document.getText();
    const entries = [
      entry('NL0099ZDUI08', 'XAMS_ZDUI'),
      entry('XLON:THWK', 'XLON_THWK', 'Thornwick'),
      entry('x', null),
    ];
    const column = { uri: document.uri.toString(), index: 1, header: 'identifier' };
    const written = await writeBack(column, entries, noQuestion);
    assert.deepEqual([written?.filled, written?.records], [2, 13]);
    const lines = document.getText().split('\n');
    assert.equal(lines[0], 'holding,identifier,weight,company_key,company_name');
    assert.equal(lines[1], 'Zeeduin Logistics,NL0099ZDUI08,0.14,XAMS_ZDUI,"Name, Ltd"');
    assert.equal(lines[2], 'Verreries du Mistral,FR0099VMIS17,0.12,,');
    assert.equal(document.isDirty, true);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), original);
    await restore(document);
  });

  it('keeps quoting, delimiter, line breaks and the byte order mark of the file', async () => {
    const document = await openFile('quoted.csv');
    const before = Buffer.from(await vscode.workspace.fs.readFile(document.uri)).toString('utf8');
    const column = { uri: document.uri.toString(), index: 1, header: 'isin' };
    await writeBack(
      column,
      [entry('DE000A99ALB2', 'XETR_ALBM', '=cmd')],
      answering(async () => 'quote'),
    );
    assert.equal(await document.save(), true);
    const after = Buffer.from(await vscode.workspace.fs.readFile(document.uri)).toString('utf8');
    const added = [';"company_key";"company_name"', ';"XETR_ALBM";"=cmd"', ';"";""', ';"";""'];
    const ends = ['"note"', 'note"\r\n"Odd"', 'lines"', '"NL0099ZDUI08";""'];
    assert.equal(
      after,
      before
        .replace('"note"\r\n', `"note"${added[0]}\r\n`)
        .replace('note"\r\n"Odd"', `note"${added[1]}\r\n"Odd"`)
        .replace('lines"\r\n', `lines"${added[2]}\r\n`)
        .replace('"NL0099ZDUI08";""\r\n', `"NL0099ZDUI08";""${added[3]}\r\n`),
    );
    assert.ok(ends.every((end) => before.includes(end)) && after.startsWith('\ufeff'));
    await vscode.workspace.fs.writeFile(document.uri, Buffer.from(before));
  });

  it('refuses a document whose columns have changed, and one whose quotes don’t match', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(folder);
    const uri = vscode.Uri.joinPath(folder, 'changed.csv');
    const write = (text: string) => vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    const column = { uri: uri.toString(), index: 0, header: 'isin' };
    const entries = [entry('DE000A99ALB2', 'XETR_ALBM')];
    await write('figi,isin\nx,DE000A99ALB2\n');
    await assert.rejects(writeBack(column, entries, noQuestion), /columns of changed\.csv have changed/);
    const document = await vscode.workspace.openTextDocument(uri);
    const edit = new vscode.WorkspaceEdit();
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    edit.replace(uri, whole, 'isin\n"DE000A99ALB2\n');
    await vscode.workspace.applyEdit(edit);
    await assert.rejects(writeBack(column, entries, noQuestion), /quotes in changed\.csv don’t match/);
    await restore(document);
  });

  it('adds what became of each identifier when a person chooses that, also where none led to a company', async () => {
    const document = await openFile('portfolio.csv');
    const column = { uri: document.uri.toString(), index: 1, header: 'identifier' };
    const suggestions: (readonly string[])[] = [];
    const questions: Questions = {
      columns: async (suggested) => {
        suggestions.push(suggested);
        return ['company_key', 'match_status'];
      },
      formulas: async () => assert.fail('Nothing had to be asked.'),
      update: async () => assert.fail('These columns are new.'),
      copy: async () => assert.fail('The editor keeps these line breaks.'),
    };
    const written = await writeBack(column, [entry('FR0099VMIS17', null)], questions);
    assert.deepEqual([suggestions, written?.filled], [[['match_status']], 0]);
    const lines = document.getText().split('\n');
    assert.equal(lines[0], 'holding,identifier,weight,company_key,match_status');
    assert.deepEqual(lines.slice(1, 3), [
      'Zeeduin Logistics,NL0099ZDUI08,0.14,,',
      'Verreries du Mistral,FR0099VMIS17,0.12,,unmatched',
    ]);
    await restore(document);
  });

  it('says truly whether the file is saved: with auto save it is, without it is not', async () => {
    const document = await openFile('portfolio.csv');
    const before = await vscode.workspace.fs.readFile(document.uri);
    const column = { uri: document.uri.toString(), index: 1, header: 'identifier' };
    const files = vscode.workspace.getConfiguration('files');
    for (const [when, isSaved] of [
      ['off', false],
      ['afterDelay', true],
    ] as const) {
      await autoSave(when);
      await files.update('autoSaveDelay', 3_600_000, vscode.ConfigurationTarget.Global);
      await writeBack(column, [entry('NL0099ZDUI08', 'XAMS_ZDUI')], noQuestion);
      assert.equal(await savedAsSet(document), isSaved);
      const onDisk = Buffer.from(await vscode.workspace.fs.readFile(document.uri)).toString('utf8');
      assert.equal(onDisk.includes('XAMS_ZDUI'), isSaved);
      await restore(document);
      await vscode.workspace.fs.writeFile(document.uri, before);
    }
    await autoSave('off');
    await files.update('autoSaveDelay', undefined, vscode.ConfigurationTarget.Global);
    const untitled = await vscode.workspace.openTextDocument({ language: 'csv', content: 'a\n' });
    assert.equal(await savedAsSet(untitled), false);
  });

  it('finds rows that have moved, and fills 10,000 of them', async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => `${index},K${index % 100}`);
    const document = await vscode.workspace.openTextDocument({
      language: 'csv',
      content: `n,key\n${rows.join('\n')}\n`,
    });
    const column = { uri: document.uri.toString(), index: 1, header: 'key' };
    const entries = Array.from({ length: 100 }, (_, index) => entry(`K${index}`, `XAMS_K${index}`, `N${index}`));
    const written = await writeBack(column, entries.toReversed(), noQuestion);
    assert.equal(written?.filled, 10_000);
    assert.equal(document.lineAt(9_999).text, '9998,K98,XAMS_K98,N98');
  });

  it('keeps an encoding that is not UTF-8, and line breaks that differ by a copy', async () => {
    const place = vscode.Uri.joinPath((await openFile('portfolio.csv')).uri, '..', 'written');
    const file = (name: string) => vscode.Uri.joinPath(place, name);
    const bytesOf = async (name: string) => Buffer.from(await vscode.workspace.fs.readFile(file(name)));
    const column = (name: string) => ({ uri: file(name).toString(), index: 0, header: 'isin' });
    const entries = [entry('GB0099RLST42', 'XLON_RLST', 'Orlestone')];
    await vscode.workspace.fs.writeFile(
      file('old.csv'),
      Buffer.from('isin;name\r\nGB0099RLST42;Soci\xe9t\xe9\r\n', 'latin1'),
    );
    const written = await writeBack(column('old.csv'), entries, noQuestion);
    assert.equal(await written?.document.save(), true);
    assert.deepEqual(
      await bytesOf('old.csv'),
      Buffer.from('isin;name;company_key;company_name\r\nGB0099RLST42;Soci\xe9t\xe9;XLON_RLST;Orlestone\r\n', 'latin1'),
    );
    const mixed = 'isin,note\nGB0099RLST42,"one\ntwo"\r\nx,y\n';
    await vscode.workspace.fs.writeFile(file('mixed.csv'), Buffer.from(mixed));
    await writeBack(column('mixed.csv'), entries, { ...noQuestion, copy: async () => file('copy.csv') });
    assert.equal((await bytesOf('mixed.csv')).toString(), mixed);
    assert.equal(
      (await bytesOf('copy.csv')).toString(),
      'isin,note,company_key,company_name\nGB0099RLST42,"one\ntwo",XLON_RLST,Orlestone\r\nx,y,,\n',
    );
    await vscode.workspace.fs.delete(place, { recursive: true });
  });
});
