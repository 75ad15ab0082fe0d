import assert from 'node:assert/strict';
import fc from 'fast-check';
import { commandUri } from '../../../../src/editor/hover/markdown.ts';
import { anyText } from '../../identifiers/arbitraries.ts';

describe('The address of a command', () => {
  it('carries any argument whole, and ends nowhere but at its end', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.constantFrom(')', '%29', '"', '](x)', '?a#b')), (argument) => {
        const address = commandUri({ command: 'reportLibrary.openCompany', argument });
        assert.match(address, /^command:reportLibrary\.openCompany\?[\w%.-]+$/);
        const query = decodeURIComponent(address.slice(address.indexOf('?') + 1));
        assert.deepEqual(JSON.parse(query), [argument.toWellFormed()]);
      }),
      { numRuns: 300 },
    );
  });
});
