import assert from 'node:assert/strict';
import { safeAddress } from '../../../../src/editor/pdf/preview.ts';

describe('a link in a PDF', () => {
  it('may lead to a web page', () => {
    assert.equal(safeAddress('https://example.com/a b?c#d'), 'https://example.com/a%20b?c#d');
    assert.equal(safeAddress('HTTP://EXAMPLE.com'), 'http://example.com/');
  });

  for (const address of [
    'command:workbench.action.terminal.new',
    'file:///etc/passwd',
    'vscode://report-library.report-library/x',
    'vscode-webview://x/y',
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    'mailto:a@example.com',
    'ftp://example.com/',
    '\\\\server\\share',
    '//example.com/',
    'example.com',
    'https://',
    '',
  ]) {
    it(`may not lead to ${JSON.stringify(address)}`, () => {
      assert.throws(() => safeAddress(address), /does not lead to a web page/);
    });
  }

  it('may carry no name and password', () => {
    assert.throws(() => safeAddress('https://example.com@evil.example/'), /user name or a password/);
    assert.throws(() => safeAddress('https://a:b@example.com/'), /user name or a password/);
  });
});
