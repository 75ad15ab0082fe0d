import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Report } from '../../../../src/api/schemas/report.ts';
import { presentNames, ReportLayout } from '../../../../src/library/sqlite/reportRow.ts';
import { answersOf, type Found, laterWire, newLines, numbers } from '../support/laterVersion.ts';
import { bring, following, look, openFile, temporaryDirectory } from '../support/stores.ts';
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

describe('a library without the names of its values', () => {
  it('is damaged: nobody could tell what is what', () => {
    const directory = temporaryDirectory();
    const path = join(directory.path, 'library.db');
    openFile(path).close();
    look(path, "DELETE FROM meta WHERE name = 'fields'");
    const store = openFile(path);
    assert.match(store.status.notice ?? '', /damaged/);
    assert.equal(store.totals().listed, 0);
    store.close();
    directory.remove();
  });
});
