import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formatCsv } from '../../../src/downloads/reportsCsv.ts';
import { type LoadedReports, loadingCode } from '../../../src/notebook/code.ts';
import type { CodeLanguage } from '../../../src/notebook/helpers.ts';
import {
  type DownloadedFolder,
  downloadedFolder,
  firstId,
  folderName,
  secondId,
} from '../../support/languages/downloadedFolder.ts';
import { hasProgram, type ProgramRun, runProgram } from '../../support/languages/programs.ts';
import { sampleReport } from '../../support/panels/reports.ts';

/** All that a document gets, in the order in which it runs. */
function written(language: CodeLanguage, wanted: Partial<LoadedReports>): string {
  const { helper, code, table } = loadingCode(language, { ...usual, ...wanted });
  return [helper, code, table].filter((text) => text !== null).join('\n');
}

const first = { report_id: firstId, report_key: 'XFRA_NWK_2024_SR' };
const second = { report_id: secondId, report_key: 'XNYS_Ω_2024_SR' };

const usual: LoadedReports = { reports: [first], folder: folderName, shown: true, existing: '' };

interface Language {
  readonly name: CodeLanguage;
  readonly program: string;
  readonly run: (code: string, cwd: string) => ProgramRun;
  /** Code that prints the path, a tab, title and company of the loaded report as JSON. */
  readonly one: string;
  /** The same for several, a line each. */
  readonly all: string;
}

const show = {
  python:
    'import json\ndef show(r):\n    print(r.path.as_posix(), json.dumps([r.metadata["title"], r.metadata["company"]]), sep="\\t")\n',
  r: 'show <- function(r) cat(r$path, "\\t[", encodeString(enc2utf8(r$metadata$company), quote = "\\""), ",", length(r$metadata), "]\\n", sep = "")\n',
};

const languages: readonly Language[] = [
  {
    name: 'python',
    program: 'python3',
    run: (code, cwd) => runProgram('python3', ['-'], cwd, code),
    one: `${show.python}show(report)`,
    all: `${show.python}for r in loaded: show(r)`,
  },
  {
    name: 'r',
    program: 'Rscript',
    run: (code, cwd) => {
      const file = join(cwd, 'run me.R');
      writeFileSync(file, code);
      return runProgram('Rscript', ['--vanilla', '--encoding=UTF-8', file], cwd);
    },
    one: `${show.r}show(report)`,
    all: `${show.r}for (r in loaded) show(r)`,
  },
];

for (const { name, program, run, one, all } of languages) {
  describe(`code in ${name}`, function () {
    this.timeout(120_000);
    let place: DownloadedFolder;

    before(function () {
      if (!hasProgram(program)) this.skip();
    });
    beforeEach(async () => {
      place = await downloadedFolder();
    });
    afterEach(() => place.remove());

    const code = (reports: (typeof first)[], folder = folderName) => written(name, { reports, folder });
    const lines = ({ code: ended, out, err }: ProgramRun) => {
      assert.equal(ended, 0, err);
      // R and the last expression of a cell may show more before it.
      return out.split('\n').filter((line) => line.includes('\t['));
    };

    it('finds the report from three folders, and its metadata', () => {
      for (const start of place.starts) {
        const [line = '', ...more] = lines(run(`${code([first])}\n${one}\n`, start));
        assert.deepEqual(more, []);
        const [path, rest = ''] = line.split('\t');
        assert.equal(path, place.pdf(firstId));
        const values = JSON.parse(rest) as unknown[];
        assert.deepEqual(
          values,
          name === 'python' ? [place.oddTitle, 'Nordwerk Antriebstechnik SE'] : ['Nordwerk Antriebstechnik SE', 52],
        );
      }
    });

    it('loads several in a loop, in their order, whatever their keys hold', () => {
      const text = code([second, first]);
      const found = lines(run(`${text}\n${all}\n`, place.workspace)).map((line) => line.split('\t'));
      assert.deepEqual(
        found.map(([path]) => path),
        [place.pdf(secondId), place.pdf(firstId)],
      );
      // A company whose name is NA is not a missing value.
      assert.match(found[0]?.[1] ?? '', /"NA"/);
    });

    it('takes a folder that lies elsewhere by its absolute path', () => {
      const absolute = join(place.workspace, folderName).replaceAll('\\', '/');
      const [line = ''] = lines(run(`${code([first], absolute)}\n${one}\n`, dirname(place.workspace)));
      assert.equal(line.split('\t')[0], place.pdf(firstId));
    });

    it('says what to do when the PDF, or the whole folder, is missing', () => {
      rmSync(place.pdf(firstId));
      const missing = run(code([first]), place.workspace);
      assert.notEqual(missing.code, 0);
      assert.match(missing.err, /is missing\. Run: Report Library: Restore PDFs from Lock File\./);
      renameSync(join(place.workspace, 'my reports'), join(place.workspace, 'elsewhere'));
      const lost = run(code([first]), place.workspace);
      assert.notEqual(lost.code, 0);
      assert.match(lost.err.replace(/\s+/g, ' '), /names report XFRA_NWK_2024_SR\. Download it first\./);
    });

    it('reads back a company that the table guards against spreadsheets', () => {
      const table = join(place.workspace, folderName, 'reports.csv');
      for (const company of ['=1+1', '＝1', '+x', '\t=x', "'x", '\n=y', 'plain']) {
        const metadata = { ...sampleReport({}).metadata, sha256: '', company };
        writeFileSync(table, formatCsv([{ report_id: firstId, path: 'x', metadata }]));
        const shown = `${code([first])}\n${one.replace('r.metadata["title"], ', '')}\n`;
        const [line = ''] = lines(run(shown, place.workspace));
        assert.equal((JSON.parse(line.split('\t')[1] ?? '') as unknown[])[0], company);
      }
    });

    it('reads of a row what the extension reads, whatever stands behind it', () => {
      const lock = join(place.workspace, folderName, 'reports.lock.json');
      const text = readFileSync(lock, 'utf8');
      const mine = { note: '"path":"x.pdf"', 'my path': 'x' };
      writeFileSync(lock, text.replaceAll(/\}(?=,?\n)/g, `,${JSON.stringify(mine).slice(1)}`));
      const [line = ''] = lines(run(`${code([first])}\n${one}\n`, place.workspace));
      assert.equal(line.split('\t')[0], place.pdf(firstId));
    });

    it('refuses a path that leaves the folder', () => {
      const lock = join(place.workspace, folderName, 'reports.lock.json');
      const text = readFileSync(lock, 'utf8');
      const away = join(place.workspace, 'away.pdf');
      renameSync(place.pdf(firstId), away);
      for (const path of [away, '../../away.pdf', 'a/../../../away.pdf', 'C:/away.pdf']) {
        writeFileSync(lock, text.replace(`Größe ${firstId}/a b.pdf`, path));
        const { code: ended, err } = run(code([first]), place.workspace);
        assert.notEqual(ended, 0, path);
        assert.match(err.replace(/\s+/g, ' '), /names a file outside its folder/, path);
      }
    });

    it('refuses a row that the table contradicts', () => {
      const lock = join(place.workspace, folderName, 'reports.lock.json');
      const text = readFileSync(lock, 'utf8');
      writeFileSync(lock, text.replace(second.report_key, 'OTHER').replace(first.report_key, second.report_key));
      const { code: ended, err } = run(code([second]), place.workspace);
      assert.notEqual(ended, 0);
      assert.match(err.replace(/\s+/g, ' '), /disagree about report XNYS_Ω_2024_SR\. Download it again\./);
    });

    it('refuses a PDF that was changed', function () {
      if (name === 'r' && !canHash()) this.skip();
      appendFileSync(place.pdf(firstId), ' ');
      const changed = run(code([first]), place.workspace);
      assert.notEqual(changed.code, 0);
      assert.match(changed.err.replace(/\s+/g, ' '), /is not the PDF that was downloaded: its SHA-256 differs/);
    });
  });
}

/** Whether this machine's R has a way to hash; the code warns where it has none. */
function canHash(): boolean {
  const test = 'exists("sha256sum", asNamespace("tools")) || requireNamespace("digest") || requireNamespace("openssl")';
  return runProgram('Rscript', ['-e', `cat(suppressWarnings(${test}))`], process.cwd()).out.includes('TRUE');
}

describe('code in python', function () {
  this.timeout(120_000);
  let place: DownloadedFolder;

  before(function () {
    if (!hasProgram('python3')) this.skip();
  });
  beforeEach(async () => {
    place = await downloadedFolder();
  });
  afterEach(() => place.remove());

  const run = (code: string) => {
    const { out, err } = runProgram('python3', ['-'], place.workspace, code);
    return (out || err).trim();
  };

  it('makes a row of typed values with pandas only when it was imported before', () => {
    const library = join(place.workspace, 'fake');
    mkdirSync(library);
    writeFileSync(join(library, 'pandas.py'), 'class DataFrame(list):\n    pass\n');
    const base = `import sys\nsys.path.insert(0, "fake")\n`;
    const tail = `${written('python', { shown: false })}\nrow = report.frame\nprint(row and (len(row), row[0]["mic"], row[0]["pages"], row[0]["std_gri"], row[0]["period_end"].year), "pandas" in sys.modules)\n`;
    const lastLines = ['', 'import pandas\n'].map((imports) =>
      run(base + imports + tail)
        .split('\n')
        .at(-1),
    );
    assert.deepEqual(lastLines, ['None False', "(1, 'XFRA', 148, True, 2024) True"]);
  });

  it('comes with the helper once: later it is two lines, and names the folder where that is another', () => {
    const { helper, code, table } = loadingCode('python', usual);
    assert.equal(code, 'report = load_report("XFRA_NWK_2024_SR")\nreport.path\n');
    assert.equal(table, null);
    const later = loadingCode('python', { ...usual, existing: helper ?? '' });
    assert.deepEqual(later, { helper: null, code, table: null });
    const other = loadingCode('python', { ...usual, folder: 'else', existing: `${helper}\n${code}` });
    assert.match(other.code, /load_report\("XFRA_NWK_2024_SR", folder="else"\)/);
    const again = loadingCode('python', { ...usual, folder: 'else', existing: `${helper}\n${other.code}` });
    assert.equal(again.code, other.code);
  });

  it('takes ids where keys are none, or two reports have the same', () => {
    const odd = { report_id: 5, report_key: 'A"\nimport os' };
    const { code } = loadingCode('python', {
      ...usual,
      reports: [first, odd, { ...second, report_key: 'K' }, { ...first, report_key: 'K' }],
    });
    assert.match(code, new RegExp(`\\[\n {4}"XFRA_NWK_2024_SR",\n {4}5,\n {4}${secondId},\n {4}${firstId},\n\\]`));
  });

  it('reads the table with pandas if that is there, with the right types', function () {
    if (runProgram('python3', ['-c', 'import pandas'], place.workspace).code !== 0) this.skip();
    const both = { ...usual, reports: [first, second] };
    const names = 'names = ["report_id", "filesize", "period_end", "std_gri", "company"]\n';
    const shown = `${names}print(len(reports), *[reports[name].dtype for name in names])`;
    const found = ['import pandas as pd\n', ''].map((existing) =>
      run(`${existing}${written('python', { ...both, existing })}\n${shown}`)
        .split('\n')
        .at(-1)
        ?.replace(/datetime64\[\w+\]/, 'datetime64'),
    );
    const wanted = '2 Int64 Float64 datetime64 boolean string';
    assert.deepEqual(found, [wanted, wanted]);
  });
});
