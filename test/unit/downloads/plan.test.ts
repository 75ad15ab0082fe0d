import assert from 'node:assert/strict';
import germanWords from '../../../l10n/bundle.l10n.de.json' with { type: 'json' };
import { l10n } from '../../../src/base/l10n.ts';
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
      input(13, {}, { report_filesize: 0 }),
      input(14, { isKept: true }, { content_sha256: null }),
    ]);
    assert.deepEqual(made, {
      here: [1, 2, 10],
      noFile: [3],
      toDownload: [4, 5, 6, 12, 13, 14],
      blocked: [7, 8, 11],
      toCopy: [9],
      bytesKnown: 10_000_000,
      bytesUnknown: 2,
    });
  });

  it('is told in a sentence, in the words, numbers and plurals of the reader', () => {
    const sentence = (
      count: Partial<Record<'here' | 'noFile' | 'toDownload' | 'toCopy' | 'blocked', number>>,
      bytes = [0, 0],
    ) => {
      const ids = (number = 0) => Array.from({ length: number }, (_, index) => index);
      const groups = { here: ids(count.here), noFile: ids(count.noFile), toCopy: ids(count.toCopy) };
      const more = { toDownload: ids(count.toDownload), blocked: ids(count.blocked) };
      return planSentence({ ...groups, ...more, bytesKnown: bytes[0] ?? 0, bytesUnknown: bytes[1] ?? 0 });
    };
    assert.equal(
      sentence({ here: 38, noFile: 1, toDownload: 21 }, [61_000_000, 0]),
      'Counts as 21 downloads against your license, about 61 MB; 38 already downloaded; 1 without a PDF.',
    );
    assert.equal(sentence({ toDownload: 1 }, [0, 1]), 'Counts as 1 download against your license, size unknown.');
    assert.equal(
      sentence({ toDownload: 1234, toCopy: 1, blocked: 1 }, [2_100_000, 1]),
      'Counts as 1,234 downloads against your license, at least 2.1 MB; 1 copied from this computer; 1 blocked by another file.',
    );
    assert.equal(sentence({}), '');
    l10n.speak('de', germanWords);
    try {
      assert.equal(
        sentence({ toDownload: 1234, noFile: 2 }, [2_100_000, 0]),
        'Zählt als 1.234 Downloads auf Ihre Lizenz, etwa 2,1 MB; 2 ohne PDF.',
      );
    } finally {
      l10n.speak('en');
    }
  });
});
