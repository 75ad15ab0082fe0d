import assert from 'node:assert/strict';
import { nameProblem, suggestedName, tidyName } from '../../../../src/editor/signin/signIn.ts';

const baseUrl = 'https://reports.example.com:8443/api/v2';

describe('the name of a connection', () => {
  it('is suggested from licensee and host, and is no other’s', () => {
    assert.equal(suggestedName('Demo Desk', baseUrl, []), 'Demo Desk · reports.example.com:8443');
    assert.equal(suggestedName(null, baseUrl, []), 'reports.example.com:8443');
    const taken = ['Demo Desk · reports.example.com:8443', 'Demo Desk · reports.example.com:8443 2'];
    assert.equal(suggestedName('Demo Desk', baseUrl, taken), 'Demo Desk · reports.example.com:8443 3');
  });

  it('is one line of visible text, and must be there and be no other’s', () => {
    assert.equal(tidyName('  a\u202e\nb '), 'a b');
    assert.match(nameProblem(' \u200b ', []) ?? '', /Type a name/);
    assert.match(nameProblem('A ', ['A']) ?? '', /Another connection/);
    assert.equal(nameProblem('B', ['A']), undefined);
  });
});
