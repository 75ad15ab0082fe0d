import assert from 'node:assert/strict';
import type { LockRow } from '../../../../src/downloads/manifest.ts';
import type { DownloadCause, DownloadResult, DownloadStatus, Upstream } from '../../../../src/downloads/ports.ts';
import type { UpdateLook } from '../../../../src/downloads/restore.ts';
import type { FileState, HeldFile } from '../../../../src/downloads/verify.ts';
import { countEndings, pdfCount, tally } from '../../../../src/editor/downloads/batch.ts';
import { fileLook } from '../../../../src/editor/downloads/decorations.ts';
import { fateOf } from '../../../../src/editor/downloads/downloadCommand.ts';
import { restored, updated, verifyOutcome } from '../../../../src/editor/downloads/lockCommands.ts';
import { pick, report } from '../../downloads/fixtures.ts';
import { lockRow } from '../../downloads/folders.ts';

const row = (report_id: number) => lockRow(report_id, { sha256: 'a'.repeat(64) });

function result(report_id: number, status: DownloadStatus, cause?: DownloadCause): DownloadResult {
  const common = { report_id, status, verified: status === 'downloaded', links: 0, report: report({ report_id }) };
  return { ...common, ...(cause && { cause, reason: `Because: ${cause}.` }) };
}

describe('what is told about the files of a lock', () => {
  it('sums a verification up', () => {
    const states: FileState[] = ['verified', 'verified', 'edited', 'missing', 'unverified'];
    assert.equal(tally(states), '5 PDFs: 2 verified, 1 not verified (no hash published), 1 edited, 1 missing.');
    const checks = states.map((state, index) => ({ row: row(index + 1), state }));
    const outcome = verifyOutcome('reports', checks);
    assert.deepEqual([outcome.checked, outcome.verified, outcome.edited], [5, 2, 1]);
    assert.deepEqual(outcome.files[2], { report_id: 3, path: 'reports/3.pdf', state: 'edited' });
    assert.deepEqual(
      [tally(['verified']), tally(['verified', 'verified'])],
      ['1 PDF: verified.', '2 PDFs: all verified.'],
    );
  });

  it('keeps apart what only agrees with the lock, and names PDFs that no row knows', () => {
    const states: FileState[] = ['verified', 'matches-lock', 'newer'];
    const checks = states.map((state, index) => ({ row: row(index + 1), state }));
    const outcome = verifyOutcome('reports', checks, ['a/mine.pdf']);
    assert.deepEqual([outcome.verified, outcome['matches-lock'], outcome.newer], [1, 1, 1]);
    assert.deepEqual(outcome.unlisted, ['reports/a/mine.pdf']);
    assert.equal(
      tally([...states, 'unlisted']),
      '4 PDFs: 1 verified, 1 matching the lock file (not yet checked with the service), ' +
        '1 with a newer version available, 1 not in the lock file.',
    );
    const unread = { ...report({ report_id: 1 }), content_sha256: undefined };
    const found = restored('1.pdf', { ...result(1, 'unchanged'), report: unread, path: 'reports/1.pdf' });
    assert.equal(found.ending, 'matches-lock');
  });

  it('tells what an update replaced and what is no longer served', () => {
    const look: UpdateLook = {
      current: [row(2)],
      changed: [{ row: row(3), report: report({ report_id: 3 }) }],
      merged: [{ row: row(4), report: report({ report_id: 9 }) }],
      notServed: [{ row: row(1), status: 'failed', verified: false, cause: 'withdrawn', reason: 'Gone.' }],
    };
    const told = (files: ReturnType<typeof updated>) => tally(files.map(({ ending }) => ending));
    const results = [{ ...result(3, 'downloaded'), sha256: 'b'.repeat(64), replaced: 'a'.repeat(64) }];
    assert.equal(
      told(updated('reports', look)),
      '4 PDFs: 2 up to date, 1 changed by the service, 1 withdrawn or not in your license (file kept).',
    );
    const files = updated('reports', look, results);
    assert.equal(told(files), '4 PDFs: 1 updated, 2 up to date, 1 withdrawn or not in your license (file kept).');
    const path = (id: number) => `reports/${id}.pdf`;
    assert.deepEqual(pick(files, 'outcome'), [
      { report_id: 1, status: 'failed', path: path(1), reason: 'Gone.' },
      { report_id: 2, status: 'unchanged', path: path(2) },
      { report_id: 3, status: 'downloaded', path: path(3), sha256: 'b'.repeat(64), replaced: 'a'.repeat(64) },
      { report_id: 4, status: 'unchanged', path: path(4) },
    ]);
  });

  it('counts each report of a restore once, by what happened to it', () => {
    const results = [
      result(1, 'downloaded'),
      result(2, 'unchanged'),
      result(3, 'failed', 'changed-upstream'),
      result(4, 'failed', 'withdrawn'),
      result(5, 'not-entitled', 'forbidden'),
      result(6, 'failed', 'edited'),
      result(7, 'failed', 'disk'),
    ];
    const files = results.map((one) => restored('x.pdf', one));
    assert.equal(
      tally(files.map(({ ending }) => ending)),
      '7 PDFs: 1 restored, 1 already downloaded, 1 changed by the service, 1 withdrawn, 1 not in your license, 1 edited, 1 failed.',
    );
    assert.equal(files[2]?.reason, 'Because: changed-upstream.');
  });
});

describe('what is told about a download of many', () => {
  it('counts each report by what happened to it, and tells which were not verified', () => {
    const unverified = { ...result(2, 'downloaded'), verified: false };
    const others = (['unchanged', 'not-entitled', 'no-file', 'failed', 'cancelled'] as const).map((status, index) => {
      return result(index + 3, status);
    });
    assert.equal(
      countEndings([result(1, 'downloaded'), unverified, ...others].map(fateOf), pdfCount),
      '1 PDF downloaded, 1 downloaded (not verified), 1 already downloaded, 1 not in your license, 1 not available, 1 cancelled, 1 failed.',
    );
    assert.equal(countEndings(['no-file', 'no-file'], pdfCount), '2 PDFs not available.');
    assert.equal(tally(['no-file', 'no-file']), '2 PDFs: all not available.');
  });
});

describe('the mark of a PDF in a file list', () => {
  const look = (state: HeldFile['state'], upstream?: Upstream, more: Partial<LockRow> = {}) =>
    fileLook({ row: { ...row(1), ...more }, state }, upstream)?.badge;
  const same = { sha256: row(1).sha256, withdrawn: false };
  const newer = { sha256: 'b'.repeat(64), withdrawn: false };

  it('claims nothing about the service without knowledge', () => {
    assert.deepEqual(
      (['same', 'unread', 'edited', 'unreadable', 'missing'] as const).map((state) => look(state)),
      ['=', '…', 'E', '!', undefined],
    );
    assert.equal(look('same', undefined, { verified: false }), '?');
  });

  it('tells verified, newer and withdrawn, but an edit here first', () => {
    assert.equal(look('same', same), '✓');
    assert.equal(look('unread', same), '…');
    assert.equal(look('same', newer), '↑');
    assert.equal(look('same', { sha256: null, withdrawn: false }), '?');
    assert.equal(look('same', { ...same, withdrawn: true }), 'W');
    assert.equal(look('edited', newer), 'E');
  });

  it('tells a key that the library doesn’t know before what it knows of the report, but an edit here first', () => {
    const others = { ...same, withdrawn: true, keys: new Set(['XDEM_OTHER_2023_SR']) };
    assert.equal(look('same', others), '≠');
    assert.equal(look('edited', others), 'E');
    assert.equal(look('same', { ...same, keys: new Set([row(1).report_key]) }), '✓');
  });
});
