import assert from 'node:assert/strict';
import fc from 'fast-check';
import { commandUri, markdownEntities } from '../../../../src/editor/hover/markdown.ts';
import { anyText } from '../../identifiers/arbitraries.ts';

describe('Text of others in a hover', () => {
  it('has no sign left that Markdown, HTML or the editor would act upon', () => {
    const odd = fc.oneof(
      anyText,
      fc.constantFrom(
        '[x](command:workbench.action.quit)',
        '<img src=x>',
        'https://x.invalid',
        '$(trash)',
        '&lt;',
        '`a`',
      ),
    );
    fc.assert(
      fc.property(odd, (text) => {
        const written = markdownEntities(text);
        assert.doesNotMatch(written.replace(/&#\d+;/g, ''), /[!-/:-@[-`{-~]/);
        assert.equal(
          written.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
          text,
        );
      }),
      { numRuns: 300 },
    );
  });
});

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
