import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesBelow, sha256, temporaryFolder } from '../../unit/downloads/fixtures.ts';

const kills = Number(process.env.SHARED_KILLS ?? 6);

describe('a team’s shared store of PDFs', () => {
  const folder = temporaryFolder();
  const share = () => join(folder.path, 'share');
  let runs = 0;
  beforeEach(() => mkdir(share()));

  it(`holds only what its names say, for one link each, while four processes fill it and are killed ${kills} times`, async function () {
    this.timeout(60_000 + kills * 20_000);
    const child = fileURLToPath(new URL('../../unit/downloads/sharingChild.ts', import.meta.url));
    const ended = new Map<string, 'killed' | 'whole'>();
    /** On a machine of this name, which it shares with the others of the name. */
    const run = async (killAt: number, machine = 'here') => {
      const place = join(folder.path, machine);
      await mkdir(place, { recursive: true });
      const args = ['--no-warnings', child, share(), join(folder.path, `own ${++runs}`), place, `${killAt}`];
      const started = spawn(process.execPath, args, { stdio: 'ignore' });
      const [code, signal] = (await once(started, 'exit')) as [number | null, string | null];
      assert.ok(code === 0 || signal === 'SIGKILL', `ended with ${code} ${signal}`);
      ended.set(`${machine} ${started.pid}`, signal === 'SIGKILL' ? 'killed' : 'whole');
      return signal === 'SIGKILL';
    };
    const check = async () => {
      const files = await filesBelow(share());
      for (const file of files.filter((name) => name.endsWith('.pdf')))
        assert.equal(`${sha256(await readFile(join(share(), file)))}.pdf`, file.slice(-68));
      return files;
    };
    const linksOf = async (machine: string) =>
      (await readFile(join(folder.path, machine, 'links'), 'utf8'))
        .trim()
        .split('\n')
        .map((line) => line.split(' '));
    let killed = 0;
    for (let round = 0; killed < kills; round++) {
      const points = [0, 1, 2, 3].map((n) => 20 + (((round * 4 + n) * 37) % 300));
      killed += (await Promise.all(points.map((at) => run(at)))).filter(Boolean).length;
      await check();
    }
    await Promise.all([run(0), run(0)]);
    await check();
    // A link whose process died before the PDF was here is lost; any other one is the last for its PDF.
    for (const [id, links] of Map.groupBy(await linksOf('here'), ([, id]) => id))
      for (const [process] of links.slice(0, -1)) assert.equal(ended.get(`here ${process}`), 'killed', `report ${id}`);
    await rm(share(), { recursive: true });
    await mkdir(share());
    await Promise.all([0, 0, 0, 0].map((at) => run(at, 'new')));
    assert.equal((await linksOf('new')).length, 50);
    assert.equal((await check()).filter((name) => name.endsWith('.pdf')).length, 50);
  });
});
