import assert from 'node:assert/strict';
import { contentSecurityPolicy, pageHtml, readDataBlock } from '../../../src/protocol/page.ts';

const parts = {
  nonce: 'abc123',
  language: 'en"><b>',
  title: 'Report & more',
  styles: ['a { color: red }'],
  scripts: ['first();', 'second();'],
};

describe('a panel’s HTML', () => {
  it('allows what is in it, the icons among it, and nothing else', () => {
    const policy = contentSecurityPolicy(parts);
    assert.match(policy, /^default-src 'none';/);
    assert.match(policy, /script-src 'nonce-abc123';/);
    assert.match(policy, /require-trusted-types-for 'script'$/);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
    assert.equal(policy.match(/data:/g)?.length, 1);
    assert.match(policy, /font-src data:;/);
  });

  it('lets a page with a worker start it from a blob and decode with WebAssembly, and nothing else', () => {
    const policy = contentSecurityPolicy({ ...parts, hasWorker: true });
    assert.match(policy, /worker-src blob:;/);
    assert.match(policy, /script-src 'nonce-abc123' 'wasm-unsafe-eval';/);
    assert.match(policy, /require-trusted-types-for 'script'$/);
    assert.doesNotMatch(policy.replace("'wasm-unsafe-eval'", ''), /unsafe|\*|https?:|connect-src/);
    assert.doesNotMatch(contentSecurityPolicy(parts), /wasm|worker-src|connect-src/);
  });

  it('has no script or style without the nonce, and escapes what it is given', () => {
    const html = pageHtml(parts);
    assert.doesNotMatch(html, /<(?:style|script)(?! nonce="abc123">)|style=|\son\w+=|src=|href=/);
    assert.match(html, /lang="en&quot;&gt;&lt;b&gt;"/);
    assert.ok(html.indexOf('>first();<') < html.indexOf('>second();<'));
  });

  it('names scripts that are too large for it, before those in it', () => {
    const html = pageHtml({ ...parts, sources: ['https://a.test/one.js?a"b', 'https://a.test/two.js'] });
    const one = html.indexOf('<script nonce="abc123" src="https://a.test/one.js?a&quot;b"></script>');
    const two = html.indexOf('<script nonce="abc123" src="https://a.test/two.js"></script>');
    assert.ok(0 < one && one < two && two < html.indexOf('>first();<'));
  });

  it('names style sheets that are too large for it, before those in it', () => {
    const html = pageHtml({ ...parts, sheets: ['https://a.test/one.css?a"b', 'https://a.test/two.css'] });
    const one = html.indexOf('<link nonce="abc123" rel="stylesheet" href="https://a.test/one.css?a&quot;b">');
    const two = html.indexOf('<link nonce="abc123" rel="stylesheet" href="https://a.test/two.css">');
    assert.ok(0 < one && one < two && two < html.indexOf('<style'));
  });

  it('refuses a script or a style that would end too early', () => {
    for (const scripts of [['"</script>"'], ['"<!--"'], ['"</SCRIPT "']])
      assert.throws(() => pageHtml({ ...parts, scripts }), /end too early/);
    assert.throws(() => pageHtml({ ...parts, styles: ['</style>'] }), /end too early/);
  });

  it('carries the reader’s words as data that cannot end itself', () => {
    const words = { 'No value': '</script><script>alert(1)</script>' };
    const html = pageHtml({ ...parts, words });
    const [, block = ''] = /<script type="application\/json" id="words">(.*?)<\/script>/s.exec(html) ?? [];
    assert.deepEqual(JSON.parse(block), words);
    assert.doesNotMatch(html, /alert\(1\)<\/script>/);
    assert.doesNotMatch(pageHtml(parts), /application\/json/);
  });

  it('brings what the page is told first, bytes too, in a form that cannot end itself', () => {
    const messages = [
      { kind: 'event', name: 'show', data: { title: '</script><!--', marks: Uint8Array.of(0, 1, 255) } },
    ];
    const html = pageHtml({ ...parts, messages });
    const [, block = ''] = /<script type="application\/json" id="messages">(.*?)<\/script>/s.exec(html) ?? [];
    assert.deepEqual(readDataBlock(block), messages);
    assert.doesNotMatch(block, /</);
    assert.equal(readDataBlock(undefined), undefined);
  });
});
