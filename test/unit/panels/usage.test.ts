import assert from 'node:assert/strict';
import { blocksText } from '../../../src/panels/asText.ts';
import { usageBlocks } from '../../../src/panels/usage.ts';
import { blockOf, factsOf } from '../../support/panels/blocks.ts';
import { sampleUsage } from '../../support/panels/usage.ts';

describe('the usage panel, as blocks', () => {
  it('shows the month and the rate (LIM-2)', () => {
    const blocks = usageBlocks(sampleUsage());
    assert.deepEqual(factsOf(blocks), { Requests: '48,213', Downloads: '1,904' });
    assert.match(blocksText(blocks), /^- Requests: 48,213$/m);
    assert.match(blocksText(blocks), /^271 of 300 requests left this minute$/m);
    const unknown = usageBlocks(sampleUsage({ rate: { limit: null, remaining: null } }));
    assert.doesNotMatch(blocksText(unknown), /left this minute/);
  });

  it('keeps the service’s answer as it came, and says of a number that it could not be found', () => {
    const odd = usageBlocks(sampleUsage({ usage: { requests: null, downloads: null, raw: { x: '\u202Ey' } } }));
    assert.equal(factsOf(odd).Requests, 'Unknown');
    assert.match(blockOf(odd, 'text').text, /"x": "⟨U\+202E⟩y"/);
  });

  it('tells what assistants downloaded of what they may, in a sentence of its own', () => {
    const assistants = { window: 3, perWindow: 10, day: 1012, perDay: 5000 };
    const words = /^Downloads by assistants: 3 of 10 in this window, 1,012 of 5,000 today$/m;
    assert.match(blocksText(usageBlocks(sampleUsage({ assistants }))), words);
    assert.doesNotMatch(blocksText(usageBlocks(sampleUsage())), /assistants/);
  });
});
