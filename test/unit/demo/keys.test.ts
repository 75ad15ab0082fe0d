import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { serialize } from 'node:v8';
import { systemClock } from '../../../src/base/clock.ts';
import { Holdings } from '../../../src/demo/holdings.ts';
import { fullLicense, KeyRing } from '../../../src/demo/keys.ts';
import { issueSpecialKeys } from '../../support/demo/keys.ts';
import { plainCatalog } from '../../support/demo/tinyCatalog.ts';

describe('the keys of the demo service', () => {
  it('are kept as one-way hashes: no part of a record holds one, whole or beyond its prefix (AUTH-5)', () => {
    const ring = new KeyRing();
    const holdings = new Holdings(plainCatalog(3));
    const full = ring.issue({
      label: 'full',
      license: fullLicense(holdings, holdings.companies, systemClock),
      requestsPerMinute: 600,
    });
    const keys = [full, ...Object.values(issueSpecialKeys(ring, systemClock))];
    assert.equal(ring.records.length, keys.length);
    const kept = serialize(ring.records);
    for (const [index, key] of keys.entries()) {
      const secretPart = key.reveal().slice(15);
      const record = ring.records[index];
      assert.ok(secretPart.length > 20 && record);
      for (const encoding of ['latin1', 'utf16le'] as const) {
        assert.equal(kept.indexOf(secretPart, 0, encoding), -1, `the key labeled ${record.label}`);
      }
      assert.deepEqual(record.hash, createHash('sha256').update(key.reveal()).digest());
      assert.equal(ring.find(key.reveal()), record);
    }
    assert.equal(ring.find(`${keys[0]?.reveal()}x`), undefined);
  });
});
