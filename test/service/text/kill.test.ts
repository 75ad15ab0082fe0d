import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as sqlite from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { openPages } from '../../../src/text/pagesFile.ts';
import type { TextCoverage } from '../../../src/text/textIndex.ts';

const script = fileURLToPath(new URL('../../unit/text/support/readingProcess.ts', import.meta.url));
const kills = Number(process.env.KILLS ?? 4);
const pagesOfPdf = 12;

/** Page `page` of PDF `pdf`, with a word that no other page has. */
const pageText = (pdf: number, page: number) => `${'text of the page '.repeat(20)} word${pdf}of${page}`;

describe('processes that read PDFs', function () {
  this.timeout(30_000 + kills * 3000);
  let folder: string;
  let path: string;
  const children: ChildProcess[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'report-library-text-'));
    path = join(folder, 'text', 'pages.sqlite');
    mkdirSync(join(folder, 'pdfs'));
    mkdirSync(join(folder, 'text'));
    writeFileSync(`${path}.log`, '');
  });
  afterEach(async () => {
    for (const child of children.splice(0)) await kill(child);
    rmSync(folder, { recursive: true, force: true });
  });

  const put = (count: number) => {
    for (let pdf = 0; pdf < count; pdf++) {
      const pages = Array.from({ length: pagesOfPdf }, (_, page) => pageText(pdf, page + 1));
      writeFileSync(join(folder, 'pdfs', `${pdf}.pdf`), pages.join('\f'));
    }
  };
  const start = async (pace: number) => {
    const child = fork(script, [join(folder, 'pdfs'), path, String(pace)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    children.push(child);
    await told(child, (message) => message === 'started');
    return child;
  };
  /** Resolves with the first message that is wanted; rejects when the process ends before. */
  const told = (child: ChildProcess, wanted: (message: unknown) => boolean): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const ended = () => reject(new Error('It ended by itself.'));
      const heard = (message: unknown) => {
        if (!wanted(message)) return;
        child.off('message', heard);
        child.off('exit', ended);
        resolve(message);
      };
      child.on('message', heard);
      child.once('exit', ended);
    });
  const kill = async (child: ChildProcess) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };

  it(`are killed ${kills} times, and no page is lost or there twice`, async () => {
    const count = kills * 12;
    put(count);
    const begun = () => readFileSync(`${path}.log`, 'utf8').split(' begins ').length;
    let before = 0;
    for (let n = 0; n < kills; n++) {
      const earlier = begun();
      const child = await start(0);
      // Once it reads, as long as something is left to read.
      if (before < count && begun() === earlier) await told(child, () => begun() > earlier);
      const timer = setTimeout(() => child.kill('SIGKILL'), Math.floor(Math.random() * 150));
      await once(child, 'exit');
      clearTimeout(timer);
      const store = openPages({ path, sqlite, now: Date.now });
      assert.deepEqual(store.db.all('PRAGMA quick_check'), [['ok']]);
      store.db.exec("INSERT INTO pages(pages) VALUES ('integrity-check')");
      const pdfs = store.pdfs();
      assert.ok(pdfs.length >= before, 'nothing that was kept is lost');
      before = pdfs.length;
      assert.equal(store.db.number('SELECT count(*) FROM pages_docsize'), pdfs.length * pagesOfPdf);
      for (const pdf of pdfs.slice(-15)) {
        const name = /word(\d+)of1$/.exec(store.page(pdf, 1)?.text ?? '')?.[1];
        for (let page = 1; page <= pagesOfPdf; page++) {
          assert.equal(store.page(pdf, page)?.text, pageText(Number(name), page));
          const found = store.db.all('SELECT rowid FROM pages WHERE pages MATCH ?', `"word${name}of${page}"`);
          assert.equal(found.length, 1);
        }
      }
      store.close();
    }
    assert.ok(before > 0, 'something was read');
    if (kills > 100)
      process.stdout.write(`${kills} kills: ${before * pagesOfPdf} pages stand, none lost, none twice\n`);
  });

  it('take turns: one reads at a time, nothing is read twice, and the other goes on when one dies', async () => {
    put(30);
    // Slow readers: on a busy machine, too, much is left to read when one of them dies.
    const [one, two] = await Promise.all([start(60), start(60)]);
    const log = () =>
      readFileSync(`${path}.log`, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' '))
        .map(([pid, what, file]) => ({ pid, what, file }));
    const read = () => log().filter(({ what }) => what === 'ends');
    await Promise.race([one, two].map((child) => told(child, () => read().length >= 5)));
    const first = read()[0]?.pid;
    const [reading, other] = first === String(one.pid) ? [one, two] : [two, one];
    await kill(reading);
    const coverage = () => {
      const answer = told(other, (message) => typeof message === 'object');
      other.send('coverage');
      return answer as Promise<TextCoverage>;
    };
    await told(other, () => read().length >= 30);
    while ((await coverage()).searchable < 30);
    const paths = read().map(({ file }) => file);
    // The file that was being read when the process died is read once more.
    assert.ok(paths.length - new Set(paths).size <= 1, paths.join('\n'));
    assert.equal(new Set(paths).size, 30);
    assert.ok(read().some(({ pid }) => pid === String(other.pid)));
    assert.equal((await coverage()).waiting, 0);
    // Whatever begins ends before the next begins, but for what the process read that died.
    const cut = log().filter(({ what }, at, all) => what === 'begins' && all[at + 1]?.what !== 'ends');
    assert.ok(cut.length <= 1, JSON.stringify(cut));
    assert.ok(cut.every(({ pid }) => pid === String(reading.pid)));
  });
});
