import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Signer } from '../../../src/demo/signer.ts';

describe('signer', () => {
  it('opens what it sealed', () => {
    const signer = new Signer();
    fc.assert(
      fc.property(fc.jsonValue(), (payload) => {
        assert.deepEqual(JSON.stringify(signer.open('x', signer.seal('x', payload))), JSON.stringify(payload));
      }),
    );
  });

  it('opens nothing else: other purposes, other signers, other text', () => {
    const signer = new Signer();
    const sealed = signer.seal('x', { id: 1 });
    assert.equal(signer.open('y', sealed), undefined);
    assert.equal(new Signer().open('x', sealed), undefined);
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (text) => {
        assert.equal(signer.open('x', text), undefined);
      }),
    );
    for (const edited of [`${sealed}=`, ` ${sealed}`, sealed.slice(0, -1), `${sealed}A`, sealed.toLowerCase()]) {
      assert.equal(signer.open('x', edited), undefined, edited);
    }
  });
});
