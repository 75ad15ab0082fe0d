import assert from 'node:assert/strict';
import { contentSecurityPolicy, pageHtml } from '../../../src/protocol/page.ts';

const parts = {
  nonce: 'abc123',
  cspSource: 'https://panel.example',
  language: 'en"><b>',
  title: 'Report & more',
  codicons: 'https://panel.example/codicon.css',
  stylesheets: ['https://panel.example/a.css?x=1&y=2'],
  script: 'https://panel.example/a.js',
};

describe('a panel’s HTML', () => {
  it('allows our own files and nothing else', () => {
    const policy = contentSecurityPolicy(parts);
    assert.match(policy, /^default-src 'none';/);
    assert.match(policy, /script-src 'nonce-abc123';/);
    assert.match(policy, /require-trusted-types-for 'script'$/);
    assert.doesNotMatch(policy, /unsafe|\*|data:/);
  });

  it('lets a page with a worker start it from a blob, and nothing else', () => {
    const policy = contentSecurityPolicy({ ...parts, hasWorker: true });
    assert.match(policy, /worker-src blob:;/);
    assert.match(policy, /require-trusted-types-for 'script'$/);
    assert.doesNotMatch(policy, /unsafe|\*|data:|connect-src/);
    assert.doesNotMatch(contentSecurityPolicy(parts), /worker-src|connect-src/);
  });

  it('has no inline script or style, and escapes what it is given', () => {
    const html = pageHtml(parts);
    assert.doesNotMatch(html, /<style|style=|\son\w+=|<script(?![^>]*src=)/);
    assert.match(html, /lang="en&quot;&gt;&lt;b&gt;"/);
    assert.match(html, /a\.css\?x=1&amp;y=2/);
  });

  it('carries the reader’s words as data that cannot end itself', () => {
    const words = { 'No value': '</script><script>alert(1)</script>' };
    const html = pageHtml({ ...parts, words });
    const [, block = ''] = /<script type="application\/json">(.*?)<\/script>/s.exec(html) ?? [];
    assert.deepEqual(JSON.parse(block), words);
    assert.doesNotMatch(html, /alert\(1\)<\/script>/);
    assert.doesNotMatch(pageHtml(parts), /application\/json/);
  });

  it('asks at once for what its script imports, under the same nonce', () => {
    const html = pageHtml({ ...parts, shared: 'https://panel.example/shared.js?a&b' });
    assert.match(
      html,
      /<link rel="modulepreload" nonce="abc123" href="https:\/\/panel\.example\/shared\.js\?a&amp;b">/,
    );
    assert.ok(html.indexOf('modulepreload') < html.indexOf('<script'));
    assert.doesNotMatch(pageHtml(parts), /modulepreload/);
  });
});
