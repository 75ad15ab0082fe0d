import assert from 'node:assert/strict';
import type { LockRow } from '../../../src/downloads/manifest.ts';
import { type PlanInput, plan, planSentence } from '../../../src/downloads/plan.ts';

const [hashA, hashB] = ['a'.repeat(64), 'b'.repeat(64)];
const held = { sha256: hashA, bytes: 10 } as LockRow;

function input(report_id: number, more: Partial<PlanInput> = {}, report: Partial<PlanInput['report']> = {}): PlanInput {
  const wanted = { report_id, has_file: true, content_sha256: hashA, report_filesize: 2.5, ...report };
  return { held: undefined, there: undefined, isKept: false, ...more, report: wanted };
}

describe('the plan of a download', () => {
  it('sorts reports by what is known without a network', () => {
    const made = plan([
      input(1, { held, there: { bytes: 10 } }),
      input(2, { there: { bytes: 10, sha256: hashA } }),
      input(3, {}, { has_file: false }),
      input(4),
      input(5, {}, { report_filesize: null, content_sha256: null }),
      input(6, { held, there: { bytes: 10 } }, { content_sha256: hashB }),
      input(7, { held, there: { bytes: 11 } }),
      input(8, { there: { bytes: 10, sha256: hashB } }),
      input(9, { isKept: true }),
      input(10, { held, there: { bytes: 10 } }, { content_sha256: null }),
      input(11, { held, there: { bytes: 10, sha256: hashB } }),
      input(12, {}, { has_file: null }),
    ]);
    assert.deepEqual(made, {
      here: [1, 2, 10],
      noFile: [3],
      toDownload: [4, 5, 6, 12],
      blocked: [7, 8, 11],
      toCopy: [9],
      bytesKnown: 7_500_000,
      bytesUnknown: 1,
      links: 4,
    });
  });

  it('is told in a sentence', () => {
    const sentence = (
      count: Partial<Record<'here' | 'noFile' | 'toDownload' | 'toCopy' | 'blocked', number>>,
      bytes = [0, 0],
    ) => {
      const ids = (number = 0) => Array.from({ length: number }, (_, index) => index);
      const groups = { here: ids(count.here), noFile: ids(count.noFile), toCopy: ids(count.toCopy) };
      const more = { toDownload: ids(count.toDownload), blocked: ids(count.blocked), links: count.toDownload ?? 0 };
      return planSentence({ ...groups, ...more, bytesKnown: bytes[0] ?? 0, bytesUnknown: bytes[1] ?? 0 });
    };
    assert.equal(
      sentence({ here: 38, noFile: 1, toDownload: 3 }, [61_000_000, 0]),
      '42 reports: 38 already here, 1 without a file, 3 to download, about 61 MB, 3 downloads on your key.',
    );
    assert.equal(sentence({ toDownload: 1 }, [0, 1]), '1 report: 1 to download, size unknown, 1 download on your key.');
    assert.equal(
      sentence({ toDownload: 2, toCopy: 1, blocked: 1 }, [2_000_000, 1]),
      '4 reports: 1 kept from its place by another file, 1 to copy from this machine, 2 to download, at least 2.0 MB, 2 downloads on your key.',
    );
    assert.equal(sentence({ here: 2 }), '2 reports: 2 already here.');
    assert.equal(sentence({}), '0 reports: nothing to do.');
  });
});
