import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { cliStage, cold } from './stage.ts';

const kills = Number(process.env.CLI_KILLS ?? 21);
const each = Math.ceil(kills / 3);
const count = 3;

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe(`commands killed ${3 * each} times, at any moment`, function () {
  this.timeout(60_000 + kills * 10_000);
  const stage = cliStage(count);
  const { cli } = stage;
  /** Of the command that is killed, uninterrupted, ms. */
  let whole: number;
  let killed = 0;
  beforeEach(() => {
    killed = 0;
  });
  const cacheFolder = (name: string) => join(stage.home, '.cache', 'report-library', name);
  /** Each run has a pace of its own: this service has no edge that counts. */
  const paced = async (args: string, onStart?: Parameters<typeof cli>[1]) => {
    await rm(cacheFolder('machine'), { recursive: true, force: true });
    return cli(args, onStart);
  };
  const measured = async (args: string) => {
    const began = performance.now();
    assert.equal((await paced(args)).code, 0);
    whole = performance.now() - began;
  };
  const kill = async (args: string) => {
    let timer: NodeJS.Timeout | undefined;
    const { code } = await paced(args, {
      onStart(child) {
        timer = setTimeout(() => child.kill('SIGKILL'), Math.random() * whole);
      },
    });
    clearTimeout(timer);
    assert.ok(code === null || code === 0, `ended with ${code}`);
    if (code === null) killed++;
  };
  const filesBelow = async (folder: string) =>
    (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  const reports = () => stage.demo.control.entitled();

  it('sync goes on, and loses and doubles nothing', async () => {
    await measured('sync');
    for (let round = 0; round < each; round++) {
      // In turn: a library that is loaded, and one that follows the change feed.
      if (round % 2) stage.demo.control.catalog.replacePdf(reports()[0]?.report_id ?? 0);
      else await rm(cacheFolder('library'), { recursive: true, force: true });
      stage.demo.control.advance(3_600_000);
      await kill('sync');
      const { exit, listed } = JSON.parse((await paced('sync --json')).stdout) as { exit: number; listed: number };
      assert.deepEqual([exit, listed], [0, count]);
    }
    const left = (await filesBelow(cacheFolder('library'))).filter((name) => /damaged/.test(name));
    assert.deepEqual(left, []);
    assert.ok(killed > each / 4, `${killed} killed`);
  });

  it('update goes on, and no file bears a name that its bytes are not', async () => {
    await cli(`download ${stage.keys.join(' ')}`);
    const published = new Map<string, Set<string>>();
    const publish = async () => {
      for (const { report_id, report_key } of reports()) {
        const known = published.get(`${report_key}.pdf`) ?? new Set();
        published.set(`${report_key}.pdf`, known.add((await stage.demo.control.pdf(report_id)).sha256));
      }
    };
    await publish();
    const change = async () => {
      for (const { report_id } of reports()) stage.demo.control.catalog.replacePdf(report_id);
      await publish();
    };
    await change();
    await measured('update');
    for (let round = 0; round < each; round++) {
      await change();
      await kill('update');
      const pdfs = (await filesBelow(join(stage.cwd, 'reports'))).filter((name) => name.endsWith('.pdf'));
      assert.equal(pdfs.length, count);
      for (const pdf of pdfs) assert.ok(published.get(basename(pdf))?.has(sha256(await readFile(pdf))), pdf);
      for (const kept of await filesBelow(cacheFolder('pdf')))
        if (/^[0-9a-f]{64}$/.test(basename(kept))) assert.equal(sha256(await readFile(kept)), basename(kept));
      const { code, stdout, stderr } = await paced('update');
      assert.equal(code, 0, stdout + stderr);
      assert.equal((await cli('verify', cold)).stdout, `${count} PDFs: ${count} matching the lock\n`);
      for (const { report_key, report_id } of reports()) {
        const now = pdfs.find((pdf) => basename(pdf) === `${report_key}.pdf`) ?? '';
        assert.equal(sha256(await readFile(now)), (await stage.demo.control.pdf(report_id)).sha256);
      }
      const parts = (await filesBelow(join(stage.cwd, 'reports'))).filter((name) => name.endsWith('.part'));
      assert.deepEqual(parts, []);
    }
    assert.ok(killed > each / 4, `${killed} killed`);
  });

  it('export goes on, and leaves the old table or the new one, and no file that its name is not', async () => {
    await cli('sync');
    const lake = join(stage.cwd, 'lake');
    const table = join(stage.cwd, 'table.csv');
    const forms = ['export --format parquet --partition fiscal_year --output lake', 'export --output table.csv'];
    await paced(forms[1] ?? '');
    const expected = await readFile(table, 'utf8');
    const all = reports().map(({ report_id }) => report_id);
    const idsIn = async (folder: string) => {
      const files = (await filesBelow(join(folder, 'reports'))).map((file) => asyncBufferFromFile(file));
      const rows = await Promise.all(files.map(async (file) => parquetReadObjects({ file: await file })));
      return rows
        .flat()
        .map(({ report_id }) => Number(report_id))
        .sort((a, b) => a - b);
    };
    for (let round = 0; round < each; round++) {
      const form = forms[round % 2] ?? '';
      await Promise.all([lake, table].map((path) => rm(path, { recursive: true, force: true })));
      if (round < 2) await measured(form);
      await kill(form);
      if (existsSync(table)) assert.equal(await readFile(table, 'utf8'), expected);
      if (existsSync(lake)) assert.deepEqual(await idsIn(lake), all);
      assert.equal((await paced(form)).code, 0);
      if (round % 2) assert.equal(await readFile(table, 'utf8'), expected);
      else assert.deepEqual(await idsIn(lake), all);
      const parts = (await readdir(stage.cwd)).filter((name) => name.endsWith('.part'));
      assert.deepEqual(parts, []);
    }
    assert.ok(killed > each / 4, `${killed} killed`);
  });
});
