import assert from 'node:assert/strict';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lockName } from '../../../src/downloads/manifest.ts';
import { HeldFiles } from '../../../src/downloads/verify.ts';
import { gitRewriteOf, mayBeRewritten, withLf } from '../../../src/machine/gitRewrites.ts';
import { rewrittenByGit } from '../../../src/text/hashedFile.ts';
import { FakeSource, filesBelow, laterClock, pdf, put, sha256, temporaryFolder } from './fixtures.ts';
import { lockRow, openFolder, putLock } from './folders.ts';

describe('a PDF that Git rewrote', () => {
  const home = temporaryFolder();
  const lines = Buffer.from(`%PDF-1.7\n${'a line of text\n'.repeat(40_000)}%%EOF\n`);
  const crlf = Buffer.from(lines.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
  const pointer = (bytes: Buffer, end = '\n') =>
    ['version https://git-lfs.github.com/spec/v1', `oid sha256:${sha256(bytes)}`, `size ${bytes.length}`, ''].join(end);
  const file = () => join(home.path, 'reports/1.pdf');
  const letPass = laterClock();

  /** A folder whose lock names `original`, with something else in its place, at a service that publishes it. */
  async function open1(original: Buffer, there: Buffer | string, published = original) {
    await put(file(), there);
    await putLock(home.path, lockRow(1, { sha256: sha256(original), bytes: original.length }));
    const source = new FakeSource();
    const report = source.publish(1, {}, published);
    return {
      ...{ source, report, folder: openFolder(home.path, source) },
      files: new HeldFiles({ root: home.path, folder: 'reports' }),
    };
  }

  for (const [what, end] of [
    ['a Git LFS pointer', '\n'],
    ['a Git LFS pointer with other line ends', '\r\n'],
  ] as const)
    it(`as ${what} is named, and replaced by restoring`, async () => {
      const { folder, source, report, files } = await open1(pdf(1), pointer(pdf(1), end));
      letPass(5000);
      assert.equal((await files.glance([1]))[0]?.state, 'unread');
      const [checked] = await folder.verify();
      assert.deepEqual([checked?.state, checked?.isRestorable], ['lfs-pointer', true]);
      assert.match(checked?.reason ?? '', /Git LFS pointer, not the PDF\. Run git lfs pull, or restore/);
      assert.equal((await files.glance([1]))[0]?.state, 'lfs-pointer');
      assert.deepEqual((await folder.plan([report])).toDownload, [1]);
      const [restored] = await folder.restore();
      assert.deepEqual([restored?.status, restored?.replaced, source.links.length], ['downloaded', undefined, 1]);
      assert.deepEqual(await readFile(file()), pdf(1));
    });

  it('as a pointer is replaced by a download, also by that of a newer version', async () => {
    const { folder, report } = await open1(pdf(1), pointer(pdf(1)), pdf(2));
    assert.equal((await folder.download([report]))[0]?.status, 'downloaded');
    assert.deepEqual(await readFile(file()), pdf(2));
  });

  it('as a pointer costs no link where the service has another version by now', async () => {
    const { folder, source } = await open1(pdf(1), pointer(pdf(1)), pdf(2));
    assert.deepEqual([(await folder.restore())[0]?.cause, source.links], ['changed-upstream', []]);
    assert.equal(await readFile(file(), 'utf8'), pointer(pdf(1)));
  });

  it('as a pointer to another file is named and kept', async () => {
    const { folder, report, source } = await open1(pdf(1), pointer(pdf(3)));
    const [checked] = await folder.verify();
    assert.deepEqual([checked?.state, checked?.isRestorable], ['lfs-pointer', false]);
    assert.match(checked?.reason ?? '', /pointer to another file/);
    assert.deepEqual((await folder.plan([report])).blocked, [1]);
    for (const [kept] of [await folder.restore(), await folder.download([report])]) {
      assert.equal(kept?.cause, 'edited');
      assert.match(kept?.reason ?? '', /pointer to another file, so it was kept/);
    }
    assert.deepEqual([source.links, await readFile(file(), 'utf8')], [[], pointer(pdf(3))]);
  });

  it('with other line ends is named, and restored from itself', async () => {
    const { folder, source, report, files } = await open1(lines, crlf);
    letPass(5000);
    assert.equal((await files.glance([1]))[0]?.state, 'unread');
    const [checked] = await folder.verify();
    assert.deepEqual([checked?.state, checked?.isRestorable], ['line-ends', true]);
    assert.match(checked?.reason ?? '', /mark \*\.pdf as binary in \.gitattributes/);
    assert.equal((await files.look('1.pdf'))?.state, 'line-ends');
    assert.deepEqual((await folder.plan([report])).toCopy, [1]);
    const [restored] = await folder.restore();
    assert.deepEqual([restored?.status, restored?.sha256], ['downloaded', sha256(lines)]);
    assert.deepEqual([source.links, source.reads, await readFile(file())], [[], [], lines]);
    assert.deepEqual(await filesBelow(home.path), ['reports/1.pdf', 'reports/reports.csv', `reports/${lockName}`]);
  });

  it('with other line ends and an edit stays as it is', async () => {
    const edited = Buffer.concat([crlf, Buffer.from('more')]);
    const { folder } = await open1(lines, edited);
    assert.equal((await folder.verify())[0]?.state, 'edited');
    assert.equal((await folder.restore())[0]?.cause, 'edited');
    assert.deepEqual(await readFile(file()), edited);
  });

  it('has each CRLF turned into LF, also where a piece of the file ends in between, and no other CR', async () => {
    const before = (1 << 18) - 1;
    for (const text of [`${'x'.repeat(before)}\r\n\r\r\n\r`, `${'\r\n'.repeat(before)}\r`, '\r', '']) {
      await writeFile(join(home.path, 'text'), text, 'latin1');
      await using opened = await open(join(home.path, 'text'));
      const pieces: Buffer[] = [];
      for await (const piece of withLf(opened)) pieces.push(Buffer.from(piece));
      assert.equal(Buffer.concat(pieces).toString('latin1'), text.replaceAll('\r\n', '\n'));
    }
  });

  it('has a size that Git may have made of the one before', async () => {
    for (const [bytes, before, isPointer, isCrlf] of [
      [1024, 1024, false, false],
      [1024, 1025, true, false],
      [1025, 2000, false, false],
      [2001, 2000, false, true],
      [4000, 2000, false, true],
      [4001, 2000, false, false],
    ] as const) {
      assert.equal(mayBeRewritten(bytes, before), isPointer || isCrlf, `${bytes} of ${before}`);
      await writeFile(join(home.path, 'text'), Buffer.alloc(bytes, 'x'));
      await using opened = await open(join(home.path, 'text'));
      assert.equal((await gitRewriteOf(opened, bytes, before))?.kind, isCrlf ? 'line-ends' : undefined);
    }
  });

  it('says so where its text is wanted', async () => {
    const path = join(home.path, 'a.pdf');
    for (const [bytes, failure] of [
      [pointer(lines), 'lfs-pointer'],
      [crlf, 'line-ends'],
    ] as const) {
      await writeFile(path, bytes);
      assert.equal(await rewrittenByGit(path, sha256(lines)), failure);
    }
    await writeFile(path, crlf);
    assert.equal(await rewrittenByGit(path, sha256(pdf(1))), undefined);
  });
});
