import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Report } from '../../../../src/api/schemas/report.ts';
import { sortColumns } from '../../../../src/library/reportQuery.ts';
import { libraryVersion } from '../../../../src/library/sqlite/migrations.ts';
import { presentNames, ReportLayout } from '../../../../src/library/sqlite/reportRow.ts';
import type { LibraryStore } from '../../../../src/library/sqlite/sqliteStore.ts';
import { answersOf, type Found, laterWire, newLines, numbers } from '../support/laterVersion.ts';
import { bring, following, look, openFile, openInMemory, temporaryDirectory } from '../support/stores.ts';
import { read, report, wireReport } from '../support/wireReports.ts';

const here = (path: string) => new URL(path, import.meta.url);
const table = here('../../../../src/api/schemas/fields.ts');

/** What a version finds whose table of fields has two more lines at its top, and nothing else that differs. */
function foundLater(path: string): Found {
  const top = 'const reportFields = {';
  const at = readFileSync(table, 'utf8').indexOf(top) + top.length;
  const overlay = { url: table.href, start: at, end: at, after: newLines };
  const script = fileURLToPath(here('../support/laterVersion.ts'));
  const preload = ['--no-warnings', '--import', here('../../../../scripts/mutate/overlay.ts').href];
  const env = { ...process.env, REPORT_LIBRARY_MUTANT: JSON.stringify(overlay) };
  return JSON.parse(execFileSync(process.execPath, [...preload, script, path], { env, encoding: 'utf8' })) as Found;
}

describe('a field that is new to the table of fields', function () {
  this.timeout(30_000);
  let directory: ReturnType<typeof temporaryDirectory>;
  let path: string;

  beforeEach(() => {
    directory = temporaryDirectory();
    path = join(directory.path, 'library.db');
  });
  afterEach(() => directory.remove());

  /** From the eleventh on the service already sent what this version has no name for. */
  const sent = (n: number) => (n > 10 ? laterWire(n) : wireReport(n));
  const fill = () => {
    const store = openFile(path);
    following(store);
    bring(
      store,
      numbers.map((n) => read(sent(n))),
    );
    store.markSeen();
    const answers = JSON.parse(JSON.stringify(answersOf(store))) as Found['before'];
    store.close();
    return answers;
  };
  /** As a version with both fields reads it. */
  const later = (n: number, note: string | null, isSo: boolean | null): Report => {
    const { metadata, ...plain } = report(n);
    const cells = { note: note ?? '', pretend: isSo === null ? '' : String(isSo).toUpperCase() };
    return { ...plain, pretend_note: note, pretend_fact: isSo, metadata: { ...metadata, ...cells } } as Report;
  };

  it('needs no other line for a library that was loaded before: every value is where it belongs', () => {
    const held = fill();
    const { before } = foundLater(path);
    assert.deepEqual(
      before.reports,
      numbers.map((n) => (n > 10 ? later(n, `note ${n}`, n % 2 === 0) : later(n, null, null))),
    );
    const { pretend_fact: _, ...facts } = before.facts;
    assert.deepEqual({ ...before, facts, reports: [], owed: null }, { ...held, reports: [] });
    assert.equal(before.owed, 'new-fields');
  });

  it('gets its values from a walk that is owed, and they are no news', () => {
    fill();
    const { counts, news, after } = foundLater(path);
    assert.deepEqual([counts.unchanged, counts.changed, counts.added, news], [20, 0, 0, 0]);
    assert.deepEqual(
      after.reports,
      numbers.map((n) => later(n, `note ${n}`, n % 2 === 0)),
    );
    const isEven = (id: number) => numbers.some((n) => n % 2 === 0 && report(n).report_id === id);
    const [yes = [], no = [], open] = after.facts.pretend_fact ?? [];
    assert.deepEqual([yes.length, no.length, open], [10, 10, []]);
    assert.ok(yes.every(isEven) && !no.some(isEven));
  });

  it('stays readable to a version without it, which may write beside it', () => {
    fill();
    foundLater(path);
    const earlier = openFile(path);
    const asRead = (n: number) => earlier.report(report(n).report_id)?.report;
    for (const n of numbers) {
      // Its column has no name here any more, and said the same.
      const { metadata: _, ...other } = read(laterWire(n)).other;
      assert.deepEqual(asRead(n), { ...read(laterWire(n)), other });
    }
    const changed = { ...laterWire(4), report_pages: 444 };
    bring(earlier, [read(changed)]);
    assert.deepEqual(asRead(4), read(changed));
    earlier.close();
    const { before } = foundLater(path);
    assert.deepEqual(before.reports[3], { ...later(4, 'note 4', true), report_pages: 444 });
  });

  it('owes no walk to a library that holds nothing yet', () => {
    openFile(path).close();
    assert.equal(foundLater(path).before.owed, null);
  });
});

describe('the names of stored values', () => {
  it('leave room for all facts below what a number holds exactly', () => {
    assert.ok(presentNames.facts.length <= 26);
  });

  it('decide where a value is, whatever order they are in', () => {
    const [values, facts] = [presentNames.values.toReversed(), presentNames.facts.toReversed()];
    const layout = new ReportLayout({ values, facts });
    for (const n of numbers) {
      const body = layout.encode(report(n));
      assert.deepEqual(layout.decode(report(n).report_id, body), report(n));
      assert.deepEqual(layout.missingIn(body), []);
      const present = new ReportLayout(presentNames);
      const row = [report(n).report_id, 2024, 0];
      assert.deepEqual(layout.summary([...row, body]), present.summary([...row, present.encode(report(n))]));
    }
  });
});

describe('a library of version 6', () => {
  let directory: ReturnType<typeof temporaryDirectory>;
  let path: string;

  beforeEach(() => {
    directory = temporaryDirectory();
    path = join(directory.path, 'library.db');
    writeFileSync(path, gunzipSync(readFileSync(here('../support/library-6.sqlite.gz'))));
  });
  afterEach(() => directory.remove());

  it('opens when it has lost an index, which is made anew', () => {
    look(path, 'DROP INDEX reports_by_published');
    const store = openFile(path);
    assert.deepEqual([store.status.notice, store.status.readOnly], [null, false]);
    assert.equal(store.reports({ sort: 'published' }, { limit: 50 }).items.length, store.totals().listed);
    store.close();
    assert.equal(look(path, "SELECT name FROM sqlite_master WHERE name = 'reports_by_published'").length, 1);
  });

  it('opens with all that it holds and what was seen, and can be sorted as one that begins now', () => {
    const store = openFile(path);
    assert.deepEqual([store.status.notice, store.status.readOnly], [null, false]);
    assert.deepEqual(store.unseen([]), { all: 2, mine: 0 });
    assert.equal(store.syncRecord().cursor, 'c1');
    assert.equal(store.syncRecord().walkOwed, null);
    const begun = openInMemory();
    const all = Array.from({ length: 21 }, (_, index) => report(index + 1, {}, 6));
    const held = all.map((given, index) =>
      index === 19 ? { ...given, report_pubdate_iso: null, report_pages: null } : given,
    );
    bring(begun, held);
    for (const column of sortColumns) {
      for (const descending of [false, true]) {
        const ids = (from: LibraryStore) => from.idsBetween({ state: 'all' }, { column, descending }, 0, 50).ids;
        assert.equal(ids(store).length, 21);
        assert.deepEqual(ids(store), ids(begun), column);
      }
    }
    const published = { sort: 'published', state: 'all' } as const;
    assert.deepEqual(store.reportIds(published), begun.reportIds(published));
    begun.close();
    store.close();
    assert.deepEqual(look(path, 'PRAGMA user_version'), [[libraryVersion]]);
    assert.deepEqual(look(path, 'PRAGMA integrity_check'), [['ok']]);
  });
});

describe('a library of version 5', () => {
  let directory: ReturnType<typeof temporaryDirectory>;
  let path: string;

  beforeEach(() => {
    directory = temporaryDirectory();
    path = join(directory.path, 'library.db');
    writeFileSync(path, gunzipSync(readFileSync(here('../support/library-5.sqlite.gz'))));
  });
  afterEach(() => directory.remove());

  const odd = (n: number) => {
    const wire = wireReport(n);
    const metadata = { ...(wire.metadata as object), title: `T ${n}`, newer: 'x' };
    return read({ ...wire, later: { n }, report_pages: 'many', metadata });
  };

  it('opens with all that it holds, and nothing is loaded again', () => {
    const store = openFile(path);
    assert.deepEqual([store.status.notice, store.status.readOnly], [null, false]);
    for (const n of numbers) assert.deepEqual(store.report(report(n).report_id)?.report, report(n));
    for (const n of [21, 22]) assert.deepEqual(store.report(report(n).report_id)?.report, odd(n));
    assert.equal(store.report(report(3).report_id)?.state, 'withdrawn');
    assert.deepEqual(store.totals(), { ...store.totals(), listed: 21, gone: 1 });
    const { phase, cursor, walkOwed } = store.syncRecord();
    assert.deepEqual([phase, cursor, walkOwed], ['following', 'c1', null]);
    assert.equal(store.changes({ limit: 50 }).length, 23);
    assert.equal(store.answers(['resolve X'], 0)[0]?.answer, '{"a":1}');
    assert.equal(store.reports({ sort: 'published' }, { limit: 50 }).items.length, 21);
    assert.deepEqual(bring(store, [report(1), odd(22)]).counts.unchanged, 2);
    store.close();
    assert.deepEqual(look(path, 'PRAGMA user_version'), [[libraryVersion]]);
    assert.deepEqual(look(path, 'PRAGMA integrity_check'), [['ok']]);
  });

  it('of the present version without its names is damaged: nobody could tell what is what', () => {
    openFile(path).close();
    look(path, "DELETE FROM meta WHERE name = 'fields'");
    const store = openFile(path);
    assert.match(store.status.notice ?? '', /damaged/);
    assert.equal(store.totals().listed, 0);
    store.close();
  });
});
