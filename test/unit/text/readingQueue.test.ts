import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import * as sqlite from 'node:sqlite';
import { openPages } from '../../../src/text/pagesFile.ts';
import { settled } from '../../support/fakeClock.ts';
import { call, find, hashesOf, hashOf, TextWorld } from './support/texts.ts';

describe('reading PDFs for search', () => {
  let world: TextWorld;
  beforeEach(() => {
    world = new TextWorld();
  });
  afterEach(() => world.remove());

  it('finds pages of what is here, newest first, with label and snippet', async () => {
    const pdfs = [
      world.put('old.pdf', ['cover', 'our climate plan'], 10),
      world.put('new.pdf', ['the climate of 2024'], 20),
    ];
    const window = await world.lookingAt(pdfs);
    await world.settled(window);
    const { hits, next } = await call(window, 'search', {
      ...{ query: 'climate', shas: null, limit: 10, cursor: null },
    });
    assert.deepEqual(
      hits.map(({ sha256, page, label, snippet }) => [sha256, page, label, snippet]),
      [
        [pdfs[1]?.sha256, 1, 'i', 'the climate of 2024'],
        [pdfs[0]?.sha256, 2, null, 'our climate plan'],
      ],
    );
    assert.equal(next, null);
    assert.deepEqual(world.reader.paths, [pdfs[1]?.path, pdfs[0]?.path]);
  });

  it('puts the index in order when nothing is left to read', async () => {
    const window = await world.lookingAt([1, 2, 3].map((n) => world.put(`${n}.pdf`, [`shared word and ${n}`])));
    await world.settled(window);
    const { db } = openPages({ path: world.path, sqlite, now: Date.now });
    const parts = () => db.number('SELECT count(DISTINCT segid) FROM pages_idx');
    for (let looks = 0; looks < 20_000 && parts() > 1; looks += 1) await settled();
    assert.equal(parts(), 1);
    db.close();
    assert.equal((await find(window, 'shared')).length, 3);
  });

  it('never reads the same bytes twice, wherever they lie and whoever looks', async () => {
    const one = world.put('one.pdf', ['twice the same']);
    const window = await world.lookingAt([one, world.put('two.pdf', ['twice the same'])]);
    await world.settled(window);
    const other = await world.lookingAt([one, world.put('three.pdf', ['twice the same'])]);
    await world.settled(other);
    assert.equal((await find(other, 'same')).length, 1);
    assert.deepEqual(world.reader.hashes, [hashOf('twice the same')]);
  });

  it('says what it could not read and why, once for each hash, and counts the rest', async () => {
    const pdfs = [
      world.put('text.pdf', ['words', '?']),
      world.put('scan.pdf', ''),
      world.put('locked.pdf', '!encrypted'),
      world.put('locked too.pdf', '!encrypted'),
    ];
    const window = await world.lookingAt(pdfs);
    await world.settled(window);
    const coverage = await call(window, 'coverage', null);
    assert.deepEqual([coverage.searchable, coverage.withoutText, coverage.failed, coverage.waiting], [1, 1, 1, 0]);
    assert.deepEqual(coverage.lists.failed[0]?.reason, 'encrypted');
    assert.deepEqual(coverage.lists.partly[0]?.damaged, [2]);
    assert.equal((await call(window, 'coverage', [pdfs[1]?.sha256 ?? ''])).searchable, 0);
    assert.deepEqual(world.reader.hashes.length, 3);
  });

  it('tries what failed again when it is asked to, or the file changed, and not otherwise', async () => {
    const pdf = world.put('locked.pdf', '!encrypted');
    const window = await world.lookingAt([pdf]);
    await world.settled(window);
    await call(window, 'setHere', [pdf]);
    assert.deepEqual(world.reader.hashes.length, 1);
    const asked = await call(window, 'readNow', [pdf.sha256, hashOf('not here')]);
    assert.deepEqual(asked, [{ sha256: pdf.sha256, status: 'failed', reason: 'encrypted' }]);
    assert.deepEqual(world.reader.hashes.length, 2);
    const opened = world.put('locked.pdf', ['open now']);
    utimesSync(opened.path, 5, 5);
    await call(window, 'setHere', [{ ...opened, mtimeMs: 5000 }]);
    await call(window, 'setPublished', hashesOf([opened]));
    await world.settled(window);
    assert.equal((await find(window, 'open')).length, 1);
  });

  it('answers who asks for what is just read with what comes of it', async () => {
    const pdf = world.put('locked.pdf', '!encrypted');
    const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    world.reader.hold = () => {
      begun.resolve();
      return goOn.promise;
    };
    const window = await world.lookingAt([pdf]);
    await begun.promise;
    const asked = call(window, 'readNow', [pdf.sha256]);
    goOn.resolve();
    assert.deepEqual(await asked, [{ sha256: pdf.sha256, status: 'failed', reason: 'encrypted' }]);
    assert.equal(world.reader.hashes.length, 1);
  });

  it('reads what several ask for at once a single time, though it fails', async () => {
    const [other, pdf] = [world.put('other.pdf', ['words']), world.put('locked.pdf', '!encrypted')];
    const window = await world.lookingAt([pdf]);
    await world.settled(window);
    await call(window, 'setHere', [other, pdf]);
    const asked = [other, pdf, pdf].map(({ sha256 }) => call(window, 'readNow', [sha256]));
    const outcomes = await Promise.all(asked);
    assert.deepEqual(outcomes[1], [{ sha256: pdf.sha256, status: 'failed', reason: 'encrypted' }]);
    assert.deepEqual(outcomes[2], outcomes[1]);
    assert.deepEqual(world.reader.paths, [pdf.path, other.path, pdf.path]);
  });

  it('answers for what a report of the library stands for, and for what is here, alone', async () => {
    const [one, two] = [world.put('one.pdf', ['shared word']), world.put('two.pdf', ['shared word too'])];
    const window = await world.lookingAt([one, two]);
    await world.settled(window);
    assert.equal((await find(window, 'shared')).length, 2);
    assert.equal((await find(window, 'shared', [two.sha256])).length, 1);
    await call(window, 'setPublished', hashesOf([one]));
    assert.deepEqual(
      (await find(window, 'shared')).map(({ sha256 }) => sha256),
      [one.sha256],
    );
    assert.equal(await call(window, 'pagesOf', two.sha256), null);
    assert.deepEqual(await call(window, 'pagesOf', one.sha256), [{ label: 'i', text: 'shared word' }]);
    await call(window, 'setHere', [two]);
    assert.deepEqual(await find(window, 'shared'), []);
  });

  it('goes by the bytes of a file, whatever hash is claimed for it', async () => {
    const honest = world.put('honest.pdf', ['what the library publishes']);
    const forged = { ...world.put('forged.pdf', ['something else entirely']), sha256: honest.sha256 };
    const window = await world.lookingAt([forged]);
    await call(window, 'setPublished', hashesOf([honest]));
    await world.settled(window);
    assert.deepEqual(await find(window, 'entirely'), []);
    const [outcome] = await call(window, 'readNow', [honest.sha256]);
    assert.equal(outcome, undefined);
    const { searchable, lists } = await call(window, 'coverage', [honest.sha256]);
    assert.equal(searchable, 0);
    assert.deepEqual(
      lists.failed.map(({ path, reason }) => [path, reason]),
      [[forged.path, 'changed']],
    );
    await call(window, 'setHere', [forged, honest]);
    await world.settled(window);
    assert.deepEqual((await call(window, 'coverage', [honest.sha256])).lists.failed, []);
  });

  it('says why the bytes of a hash could not be read, whatever else is said to have them', async () => {
    const locked = world.put('locked.pdf', '!encrypted');
    const others = ['a.pdf', 'z.pdf'].map((name) => ({ ...world.put(name, [name]), sha256: locked.sha256 }));
    const window = await world.lookingAt([locked, ...others]);
    await world.settled(window);
    const { lists } = await call(window, 'coverage', [locked.sha256]);
    assert.deepEqual(lists.failed, [{ path: locked.path, sha256: locked.sha256, pages: null, reason: 'encrypted' }]);
  });

  it('neither reads nor keeps bytes that nobody publishes, until they are said to be what they are', async () => {
    const honest = world.put('honest.pdf', ['what the library publishes']);
    const edited = { ...world.put('edited.pdf', ['something else entirely']), sha256: honest.sha256 };
    const window = await world.lookingAt([edited]);
    await world.settled(window);
    assert.deepEqual([world.reader.paths, await call(window, 'held', null)], [[], []]);
    assert.deepEqual(await call(window, 'readNow', [honest.sha256]), []);
    const own = { ...edited, sha256: hashOf('something else entirely') };
    await call(window, 'setHere', [own]);
    await call(window, 'setPublished', hashesOf([own]));
    await world.settled(window);
    assert.equal((await find(window, 'entirely')).length, 1);
  });

  it('reads what was asked for before all else, also while it is paused', async () => {
    const pdfs = [3, 2, 1].map((n) => world.put(`${n}.pdf`, [`number ${n}`], n));
    const window = world.window();
    await call(window, 'setHere', pdfs);
    await call(window, 'setPaused', true);
    await call(window, 'setEnabled', true);
    const last = pdfs[2]?.sha256 ?? '';
    assert.deepEqual(await call(window, 'readNow', [last]), [{ sha256: last, status: 'read', pages: 1 }]);
    assert.deepEqual(await call(window, 'readNow', [last]), [{ sha256: last, status: 'known', pages: 1 }]);
    const { waiting, paused } = await call(window, 'coverage', null);
    assert.deepEqual([waiting, paused], [2, 'person']);
    const other = world.window();
    assert.equal((await call(other, 'coverage', null)).paused, 'off');
    await call(other, 'setEnabled', true);
    assert.equal((await call(other, 'coverage', null)).paused, 'person');
    await call(other, 'setPaused', false);
    await world.settled(window);
    assert.deepEqual(world.reader.paths, [pdfs[2]?.path, pdfs[0]?.path, pdfs[1]?.path]);
  });

  it('gives up what it reads when it is cancelled, and pauses', async () => {
    const pdf = world.put('one.pdf', ['one']);
    const begun = Promise.withResolvers<void>();
    world.reader.hold = () => {
      begun.resolve();
      return new Promise(() => {});
    };
    const window = await world.lookingAt([pdf]);
    const asked = call(window, 'readNow', [pdf.sha256]);
    const rejected = assert.rejects(asked, { name: 'AbortError' });
    await begun.promise;
    assert.deepEqual((await call(window, 'coverage', null)).reading, { path: pdf.path });
    await call(window, 'cancelReading', null);
    await rejected;
    const { waiting, paused } = await call(window, 'coverage', null);
    assert.deepEqual([waiting, paused], [1, 'person']);
  });

  it('forgets what it is told to, and reads it again as long as it is here', async () => {
    const pdf = world.put('one.pdf', ['one']);
    const window = await world.lookingAt([pdf]);
    await world.settled(window);
    assert.deepEqual(await call(window, 'held', null), [pdf.sha256]);
    await call(window, 'setHere', []);
    await call(window, 'forget', [pdf.sha256]);
    assert.deepEqual(await call(window, 'held', null), []);
    await call(window, 'setHere', [pdf]);
    await world.settled(window);
    assert.equal((await find(window, 'one')).length, 1);
    await call(window, 'setPaused', true);
    await call(window, 'deleteAll', null);
    assert.deepEqual(await find(window, 'one'), []);
    const { waiting, paused } = await call(window, 'coverage', null);
    assert.deepEqual([waiting, paused], [1, 'person']);
    await call(window, 'setPaused', false);
    await world.settled(window);
    assert.equal((await find(window, 'one')).length, 1);
  });
});
