import assert from 'node:assert/strict';
import fc from 'fast-check';
import germanWords from '../../../l10n/bundle.l10n.de.json' with { type: 'json' };
import { l10n } from '../../../src/base/l10n.ts';
import {
  emptyLock,
  formatLock,
  type LockRow,
  mergeLocks,
  parseLock,
  resolveConflict,
  withRows,
} from '../../../src/downloads/manifest.ts';
import { pick } from './fixtures.ts';
import { lockRow } from './folders.ts';

const hash = (digit: string) => digit.repeat(64);

function row(report_id: number, more: Partial<LockRow> = {}): LockRow {
  const path = `XDEM_ACME/2022/${report_id}.pdf`;
  return lockRow(report_id, { path, sha256: hash('a'), bytes: 10, downloaded_at: '2026-01-01T00:00:00.000Z', ...more });
}
const lockOf = (...reports: LockRow[]) => ({ ...emptyLock, reports });

describe('the lock file', function () {
  this.timeout(30_000);
  it('is written sorted, a report a line, members in their order, with a last line break', async () => {
    assert.equal(
      await formatLock(lockOf(row(20), row(3, { verified: false }))),
      [
        '{',
        '  "version": 1,',
        '  "reports": [',
        `    {"report_id":3,"report_key":"XDEM_ACME_2023_SR_3","company_key":"XDEM_ACME","path":"XDEM_ACME/2022/3.pdf","sha256":"${hash('a')}","bytes":10,"downloaded_at":"2026-01-01T00:00:00.000Z","schema_version":"V3","verified":false},`,
        `    {"report_id":20,"report_key":"XDEM_ACME_2023_SR_20","company_key":"XDEM_ACME","path":"XDEM_ACME/2022/20.pdf","sha256":"${hash('a')}","bytes":10,"downloaded_at":"2026-01-01T00:00:00.000Z","schema_version":"V3"}`,
        '  ]',
        '}',
        '',
      ].join('\n'),
    );
    assert.equal(await formatLock(emptyLock), '{\n  "version": 1,\n  "reports": []\n}\n');
  });

  it('reads back what was written, and keeps members it does not know', async () => {
    const newer = { ...row(1), note: 'mine', nested: { a: [1] } };
    const lock = { reports: [newer], other: { origin: 'https://library.example', future: [true] } };
    assert.deepEqual(await parseLock(await formatLock(lock)), lock);
    assert.equal(await formatLock(await parseLock(await formatLock(lock))), await formatLock(lock));
    assert.deepEqual(await parseLock(`\ufeff${(await formatLock(lock)).replaceAll('\n', '\r\n')}`), lock);
  });

  const bad: readonly (readonly [string, string | ((good: string) => string), RegExp])[] = [
    ['no JSON', '{', /is not valid JSON/],
    ['a comma that is missing', (good) => good.replace('},\n', '}\n'), /is not valid JSON/],
    ['another file', '{"name":"x"}', /is not a lock file/],
    ['an array', '[]', /is not a lock file/],
    ['a newer version', (good) => good.replace('"version": 1', '"version": 2'), /version 2.*Update Report Library/],
    ['a path that leaves the folder', (good) => good.replace('XDEM_ACME/2022/2.pdf', '../../x.pdf'), /bad row 2: path/],
    ['a path below .git', (good) => good.replace('XDEM_ACME/2022/2.pdf', '.git/x.pdf'), /bad row 2: path/],
    ['an id that is none', (good) => good.replace('"report_id":2', '"report_id":-2'), /bad row 2: report_id/],
    ['a hash that is none', (good) => good.replace(hash('a'), 'abc'), /bad row 1: sha256/],
    ['more reports than any library holds', `{"version":1,"reports":[${'0,'.repeat(4_000_000)}0]}`, /not a lock file/],
    ['more parts', `{"version":1,"reports":[],"a":[${'0,'.repeat(10_000_000)}0]}`, /not a lock file/],
    ['deep nesting', `{"version":1,"reports":[],"a":${'['.repeat(40)}${']'.repeat(40)}}`, /not a lock file/],
    ['nesting without an end', `{"version":1,"a":${'['.repeat(500_000)}`, /not a lock file/],
    ['a row that is none', (good) => good.replace(/\{"report_id":2.*/, 'null'), /bad row 2: the row/],
  ];
  for (const [what, text, message] of bad) {
    it(`is refused in words: ${what}`, async () => {
      const good = await formatLock(lockOf(row(1), row(2)));
      const code = what === 'a newer version' ? 'newer' : 'unreadable';
      await assert.rejects(parseLock(typeof text === 'string' ? text : text(good)), {
        name: 'LockProblem',
        code,
        message,
      });
    });
  }

  it('is refused in the reader’s language, all of it', async () => {
    const good = await formatLock(lockOf(row(1)));
    l10n.speak('de', germanWords);
    try {
      await assert.rejects(parseLock(good.replace('"bytes":10,', '"bytes":"x",')), /fehlerhafte Zeile 1: bytes\./);
      await assert.rejects(parseLock(good.replace('"bytes":10,', '"bytes":10,"verified":1,')), /Zeile 1: verified\./);
      await assert.rejects(parseLock(good.replace(/\{"report_id":1.*/, 'null')), /die Zeile \(kein Objekt\)/);
    } finally {
      l10n.speak('en');
    }
  });

  it('never fails in another way, whatever the text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (text) => {
        try {
          await parseLock(text);
        } catch (error) {
          assert.equal(error instanceof Error && error.name, 'LockProblem');
        }
      }),
    );
  });

  it('tells where a merge conflict is, and resolves it when asked', async () => {
    const base = await formatLock(lockOf(row(1)));
    const line = (text: string, id: number) => text.split('\n').find((found) => found.includes(`"report_id":${id},`));
    const ours = await formatLock(lockOf(row(1), row(2)));
    const theirs = await formatLock(
      lockOf(row(1, { sha256: hash('b'), downloaded_at: '2026-02-01T00:00:00Z' }), row(3)),
    );
    const [ours1, ours2, theirs1, theirs3] = [line(ours, 1), line(ours, 2), line(theirs, 1), line(theirs, 3)];
    for (const ancestor of ['', `||||||| base\n${line(base, 1)}\n`]) {
      const conflicted = `{\n  "version": 1,\n  "reports": [\n<<<<<<< HEAD\n${ours1}\n${ours2}\n${ancestor}=======\n${theirs1}\n${theirs3}\n>>>>>>> theirs\n  ]\n}\n`;
      await assert.rejects(parseLock(conflicted), { code: 'conflict', message: /line 4/ });
      const resolved = await resolveConflict(conflicted);
      assert.deepEqual(
        resolved.reports.map(({ report_id, sha256 }) => [report_id, sha256[0]]),
        [
          [1, 'b'],
          [2, 'a'],
          [3, 'a'],
        ],
      );
    }
  });

  it('merges alike from both sides, losing no report and keeping the later download', async () => {
    const anyRow = fc
      .record({
        id: fc.integer({ min: 1, max: 6 }),
        day: fc.integer({ min: 1, max: 9 }),
        digit: fc.constantFrom('a', 'b'),
      })
      .map(({ id, day, digit }) => row(id, { downloaded_at: `2026-01-0${day}T00:00:00Z`, sha256: hash(digit) }));
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow), fc.array(anyRow), async (a, b) => {
        const one = mergeLocks(lockOf(...a), lockOf(...b));
        assert.equal(await formatLock(one), await formatLock(mergeLocks(lockOf(...b), lockOf(...a))));
        for (const each of [...a, ...b]) {
          const kept = one.reports.filter((found) => found.report_id === each.report_id);
          assert.equal(kept.length, 1);
          assert.ok((kept[0]?.downloaded_at ?? '') >= each.downloaded_at);
        }
      }),
    );
  });

  it('moves the row of a renamed or merged report instead of adding one', async () => {
    const lock = lockOf(row(1), row(2), row(3));
    const renamed = withRows(lock, [row(2, { report_key: 'NEW', company_key: 'XDEM_NEW' })]);
    assert.deepEqual(pick(renamed.reports, 'report_key'), ['XDEM_ACME_2023_SR_1', 'NEW', 'XDEM_ACME_2023_SR_3']);
    const survivor = withRows(lock, [row(9, { path: row(1).path.toUpperCase().replace('.PDF', '.pdf') })], [2]);
    assert.deepEqual(pick(survivor.reports, 'report_id'), [3, 9]);
  });

  it('joins two rows of one report into the later one, and takes a time that is none for the earliest', async () => {
    const dated = row(1, { sha256: hash('a') });
    const later = row(1, { sha256: hash('b'), downloaded_at: '2026-01-02T00:00:00+00:00' });
    const undated = row(1, { sha256: hash('c'), downloaded_at: 'yesterday' });
    for (const [one, two, kept] of [
      [dated, later, later],
      [later, dated, later],
      [undated, dated, dated],
      [dated, undated, dated],
    ] as const) {
      assert.deepEqual(mergeLocks(lockOf(one), lockOf(two)).reports, [kept]);
    }
  });

  it('joins two rows of one file into the later one, whichever report they name', async () => {
    const retired = row(1);
    const survivor = row(9, { path: retired.path.replace('ACME', 'acme'), downloaded_at: '2026-01-02T00:00:00Z' });
    const text = JSON.stringify({ version: 1, reports: [retired, survivor, row(2)] });
    assert.deepEqual((await parseLock(text)).reports, [row(2), survivor]);
    assert.deepEqual(mergeLocks(lockOf(survivor), lockOf(retired)).reports, [survivor]);
  });
});
