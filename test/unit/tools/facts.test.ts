import assert from 'node:assert/strict';
import { plain } from '../../../src/tools/facts.ts';
import { asData } from '../../../src/tools/tool.ts';

describe('a text of the service in an answer', () => {
  it('is cut by what can be seen of it', () => {
    assert.equal(plain(`${'\u200b'.repeat(300)}An${'\u00ad'}nual Report`, 10), 'Annual Re…');
    assert.equal(asData({ title: plain(' Annual\n Report ') }).title, 'Annual Report');
    assert.equal(plain(null), null);
  });

  it('is no path, which stays as it is', () => {
    const answer = asData({ results: [{ path: '/pdfs/گزارش\u200cها.pdf', title: 'گزارش\u200cها' }] });
    assert.deepEqual(answer.results, [{ path: '/pdfs/گزارش\u200cها.pdf', title: 'گزارشها' }]);
  });
});
