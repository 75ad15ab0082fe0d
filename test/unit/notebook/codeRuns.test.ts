import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type CodeLanguage, loadingCode } from '../../../src/notebook/code.ts';
import {
  type DownloadedFolder,
  downloadedFolder,
  firstId,
  folderName,
  secondId,
} from '../../support/languages/downloadedFolder.ts';
import { hasProgram, type ProgramRun, runProgram } from '../../support/languages/programs.ts';

const first = { report_id: firstId, report_key: 'XFRA_NWK_2024_SR' };
const second = { report_id: secondId, report_key: 'XNYS_Ω_2024_SR\nimport os' };

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
    'import json\ndef show(r):\n    print(r["path"].as_posix(), json.dumps([r["metadata"]["title"], r["metadata"]["company"]]), sep="\\t")\n',
  r: 'show <- function(r) cat(r$path, "\\t[", encodeString(enc2utf8(r$metadata$company), quote = "\\""), ",", length(r$metadata), "]\\n", sep = "")\n',
  julia:
    'show_report(r) = println(replace(r.path, "\\\\" => "/"), "\\t[", repr(r.metadata["company"]), ",", length(r.metadata), "]")\n',
};

const languages: readonly Language[] = [
  {
    name: 'python',
    program: 'python3',
    run: (code, cwd) => runProgram('python3', ['-'], cwd, code),
    one: `${show.python}show(report)`,
    all: `${show.python}for r in reports: show(r)`,
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
    all: `${show.r}for (r in reports) show(r)`,
  },
  {
    name: 'julia',
    program: 'julia',
    run: (code, cwd) => runProgram('julia', ['--startup-file=no', '-'], cwd, code),
    one: `${show.julia}show_report(report)`,
    all: `${show.julia}foreach(show_report, reports)`,
  },
];

for (const { name, program, run, one, all } of languages) {
  describe(`code in ${name}`, function () {
    this.timeout(120_000);
    let place: DownloadedFolder;

    before(function () {
      if (!hasProgram(program)) this.skip();
    });
    beforeEach(() => {
      place = downloadedFolder();
    });
    afterEach(() => place.remove());

    const code = (reports: (typeof first)[], folder = folderName) =>
      loadingCode(name, { reports, folder, shown: true });
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
      assert.equal(text.split('load_report(').length, text.includes('lapply(') ? 1 : 3);
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
      assert.match(lost.err.replace(/\s+/g, ' '), /names report 100482\. Download it first\./);
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

describe('code in python', () => {
  before(function () {
    if (!hasProgram('python3')) this.skip();
  });

  it('makes a row with pandas or polars only when they were imported before', () => {
    const place = downloadedFolder();
    try {
      const library = join(place.workspace, 'fake');
      mkdirSync(library);
      for (const name of ['pandas', 'polars']) {
        writeFileSync(join(library, `${name}.py`), `class DataFrame(list):\n    made_by = ${JSON.stringify(name)}\n`);
      }
      const base = `import sys\nsys.path.insert(0, "fake")\n`;
      const tail = `${loadingCode('python', { reports: [first], folder: folderName, shown: false })}\nrow = report["row"]\nprint(row and (row.made_by, len(row), row[0]["mic"]), "pandas" in sys.modules)\n`;
      const runs = ['', 'import pandas\n', 'import polars\n'].map((imports) => {
        return runProgram('python3', ['-'], place.workspace, base + imports + tail).out.trim();
      });
      assert.deepEqual(runs, ['None False', "('pandas', 1, 'XFRA') True", "('polars', 1, 'XFRA') False"]);
    } finally {
      place.remove();
    }
  });
});
