import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { columns } from '../../../src/api/schemas/fields.ts';
import { reportContents } from '../../../src/editor/hover/identifierHover.ts';
import type { TestDemo } from '../../support/demo/testDemo.ts';
import { activated, signedInDemo } from '../../support/editor/demo.ts';
import { hoversAt, openFile, placeOf } from '../../support/editor/documents.ts';
import { sampleReport } from '../../support/panels/reports.ts';

describe('In the editor', () => {
  let demo: TestDemo;
  let asked: number;

  before(async () => {
    demo = await signedInDemo(await activated());
    await vscode.commands.executeCommand('reportLibrary.sync', true);
  });

  // The status bar reads the usage when it likes, whatever stands in a document.
  const requests = () => demo.control.log.entries.filter(({ route }) => route !== 'GET /meta/usage').length;

  beforeEach(() => {
    asked = requests();
  });

  afterEach(() => {
    assert.equal(requests(), asked, 'Something was asked of the service.');
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('reportLibrary.signOut');
    await demo.dispose();
  });

  const open = (language: string, content: string) => vscode.workspace.openTextDocument({ language, content });
  const say = async (document: vscode.TextDocument, text: string, inside?: number) =>
    hoversAt(document.uri, placeOf(document, text, inside));

  const quoted: Readonly<Record<string, string>> = {
    python: 'isin = "DE000A99ALB2"',
    markdown: 'Altenbruch (DE000A99ALB2) is one.',
    json: '{ "isin": "DE000A99ALB2" }',
    r: 'isin <- "DE000A99ALB2"',
    plaintext: 'DE000A99ALB2',
  };
  for (const [language, content] of Object.entries(quoted)) {
    it(`a hover on an ISIN in ${language} names its company, with links that only show something`, async () => {
      const [company, links] = await say(await open(language, content), 'DE000A99ALB2', 4);
      assert.match(company?.text ?? '', /Altenbruch Maschinenbau/);
      assert.match(company?.text ?? '', /Germany/);
      assert.match(company?.text ?? '', /reports, by fiscal year 20\d\d: \d/);
      assert.deepEqual(company?.commands, []);
      assert.match(
        links?.text ?? '',
        /^\[Open Company\]\(command:reportLibrary\.showCompany\?%5B%22XETR_ALBM%22%5D\) · /,
      );
      assert.ok(links && links.commands.length > 0 && links.commands.every((id) => id.startsWith('reportLibrary.')));
      assert.ok(!links.commands.some((id) => /download|sign|sync|restore|update/i.test(id)));
    });
  }

  it('a hover in a CSV file knows identifiers of every kind', async () => {
    const document = await openFile('portfolio.csv');
    for (const [text, name] of [
      ['NL0099ZDUI08', /Zeeduin/],
      ['DEMO00ALTENBRUCHAG60', /Altenbruch/],
      ['BBG9ZQLMK242', /Quillmark/],
      ['XLON:THWK', /Thornwick/],
    ] as const) {
      assert.match((await say(document, text))[0]?.text ?? '', name);
    }
  });

  it('a hover says that an ISIN is withheld, and shows what else there is', async () => {
    const report = demo.control.entitled().find(({ company_key }) => company_key.startsWith('XNYS_'));
    assert.ok(report);
    const [company] = await say(await open('python', `key = "${report.company_key}"`), report.company_key);
    assert.match(company?.text ?? '', /withheld/i);
    assert.match(company?.text ?? '', /LEI|FIGI/);
    assert.doesNotMatch(company?.text ?? '', /CUSIP|SEDOL/i);
  });

  it('a hover on a report key tells the report, and the fiscal year apart from the cover year', async () => {
    const [report, links] = await say(await open('python', 'p = "reports/XETR_ALBM_2024_SR.pdf"'), 'XETR_ALBM_2024', 8);
    assert.match(report?.text ?? '', /Fiscal year 2024/);
    assert.match(report?.text ?? '', /Cover year 2024/);
    assert.match(links?.text ?? '', /\[Open Report\]\(command:reportLibrary\.openReport\?%5B\d+%5D\)/);
  });

  it('a hover on a key that was renamed names the current one', () => {
    const stored = {
      report: sampleReport(),
      state: 'listed',
      fiscal_year: 2024,
      askedFor: 'XETR_OLD_2024_SR',
    } as const;
    assert.match(reportContents(stored)[0]?.value ?? '', / current key: `\w+`/);
  });

  it('a hover on a code that is not here offers to ask, and on anything else says nothing', async () => {
    const [words, link] = await say(await open('python', 'x = "AU0000XVGZA3"'), 'AU0000');
    assert.match(words?.text ?? '', /Not in the library on this computer/);
    assert.match(link?.text ?? '', /resolveIdentifiers/);
    assert.deepEqual(await say(await open('python', 'x = "DE000A99ALB3"'), 'DE000'), []);
    assert.deepEqual(await say(await open('python', 'x = "HTTP_PORT"'), 'HTTP_'), []);
  });

  it('a hover in a notebook cell works like one in a file', async () => {
    const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, 'df["std_gri"]; "DE000A99ALB2"', 'python');
    const data = new vscode.NotebookData([cell]);
    const notebook = await vscode.workspace.openNotebookDocument('jupyter-notebook', data);
    const { document } = notebook.cellAt(0);
    assert.match((await say(document, 'DE000A99ALB2'))[0]?.text ?? '', /Altenbruch/);
    assert.match((await say(document, 'std_gri'))[0]?.text ?? '', /GRI Standards/);
  });

  it('a hover on each of the 50 columns tells meaning and type, in brackets, as attribute and in a header', async () => {
    const names = columns.map(({ name }) => name);
    const python = await open('python', names.map((name) => `df["${name}"]`).join('\n'));
    const attributes = await open('python', names.map((name) => `df.${name}`).join('\n'));
    for (const [line, { name, type, meaning }] of columns.entries()) {
      for (const [document, column] of [
        [python, 5],
        [attributes, 4],
      ] as const) {
        const [said, link] = await hoversAt(document.uri, new vscode.Position(line, column));
        assert.ok(said?.text.includes(meaning) && said.text.includes(type), `${name}: ${said?.text}`);
        assert.match(link?.text ?? '', new RegExp(`command:reportLibrary\\.openSchema\\?%5B%22${name}%22%5D`));
      }
    }
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(folder);
    const uri = vscode.Uri.joinPath(folder, 'header.csv');
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(`${names.join(',')}\n`));
    const header = await vscode.workspace.openTextDocument(uri);
    const [said] = await hoversAt(uri, placeOf(header, ',type,', 2));
    assert.match(said?.text ?? '', /Report type code/);
    assert.match(said?.text ?? '', /`SR`/);
  });

  it('a name that is everybody’s says nothing where our tables are not at work', async () => {
    assert.deepEqual(await say(await open('json', '{ "title": "x", "type": "object" }'), '"type"', 2), []);
    assert.deepEqual(await say(await open('python', 'text.title()'), 'title'), []);
    assert.notDeepEqual(await say(await open('python', 'x = ["title", "std_gri"]'), 'title'), []);
  });

  it('report keys and identifiers of the library are links; what it does not know is none', async () => {
    const content = 'a = ["XETR_ALBM_2024_SR", "XETR_ALBM_1901_SR", "DE000A99ALB2", "AU0000XVGZA3", "HTTP_PORT"]';
    const document = await open('python', content);
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      document.uri,
    );
    const ours = links.filter(({ target }) => target?.scheme === 'command');
    assert.deepEqual(
      ours.map(({ range, target }) => [document.getText(range), target?.path]),
      [
        ['XETR_ALBM_2024_SR', 'reportLibrary.openReport'],
        ['DE000A99ALB2', 'reportLibrary.showCompany'],
      ],
    );
  });

  it('a long document with long lines is answered, with a limit to the links', async () => {
    const line = `x = "${'DE000A99ALB2 '.repeat(5_000)}"`;
    const document = await open('python', Array.from({ length: 50 }, () => line).join('\n'));
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      document.uri,
    );
    assert.ok(links.length > 100 && links.length <= 2_000, String(links.length));
    assert.match((await hoversAt(document.uri, new vscode.Position(20, 60_000)))[0]?.text ?? '', /Altenbruch/);
  });

  const labels = async (document: vscode.TextDocument, after: string) => {
    const position = placeOf(document, after, after.length);
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      position,
      '"',
    );
    const ours = new Set([vscode.CompletionItemKind.Field, vscode.CompletionItemKind.EnumMember]);
    return items
      .filter(({ kind }) => kind !== undefined && ours.has(kind))
      .map(({ label }) => (typeof label === 'string' ? label : label.label));
  };

  it('column names complete inside the brackets of a data frame, in files and notebooks', async () => {
    const names = columns.map(({ name }) => name);
    assert.deepEqual(await labels(await open('python', 'x = df["'), 'df["'), names);
    assert.deepEqual(await labels(await open('python', 'x = df[["title", "'), '"title", "'), names);
    const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, 'reports["', 'python');
    const notebook = await vscode.workspace.openNotebookDocument('jupyter-notebook', new vscode.NotebookData([cell]));
    assert.deepEqual(await labels(notebook.cellAt(0).document, 'reports["'), names);
  });

  it('report types complete where a type is compared, and nothing completes in other texts', async () => {
    const types = await labels(await open('python', 'import pandas\nsr = df[df["std_gri"] & (df["type"] == "'), '== "');
    assert.deepEqual(types.slice(0, 4), ['SR', 'IR', 'AR2', 'AR1']);
    assert.equal(types.length, 33);
    assert.deepEqual(await labels(await open('python', 'print("'), 'print("'), []);
    assert.deepEqual(await labels(await open('python', 'os.environ["'), 'environ["'), []);
  });

  it('nothing shows when the setting is off', async () => {
    const settings = vscode.workspace.getConfiguration('reportLibrary');
    await settings.update('hover.enabled', false, vscode.ConfigurationTarget.Global);
    assert.deepEqual(await say(await open('python', 'isin = "DE000A99ALB2"'), 'DE000'), []);
    assert.deepEqual(await labels(await open('python', 'x = df["'), 'df["'), []);
    await settings.update('hover.enabled', undefined, vscode.ConfigurationTarget.Global);
  });

  it('no identifier is known when nobody is signed in, and no library is opened to find out', async () => {
    const { services } = await activated();
    const { session } = services;
    assert.ok('connection' in session);
    services.connect(null);
    await assert.rejects(services.library(), /not signed in/);
    assert.deepEqual(await say(await open('python', 'isin = "DE000A99ALB2"'), 'DE000'), []);
    services.connect(session.connection);
  });
});
