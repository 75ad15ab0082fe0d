import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/disposable.ts';
import { PanelPort } from '../../../../src/editor/panels/panelPage.ts';

const ready = { kind: 'event', name: 'ready', data: null };

/** A webview that notes its HTML and what is posted to it; the HTML says which messages it brings. */
function panel() {
  const fromPage = new Emitter<unknown>();
  const posted: unknown[] = [];
  const filled: string[] = [];
  const webview = {
    get html() {
      return filled.at(-1) ?? '';
    },
    set html(html: string) {
      filled.push(html);
    },
    postMessage: async (message: unknown) => posted.push(message) > 0,
    onDidReceiveMessage: fromPage.event,
  };
  const port = new PanelPort(
    webview,
    Promise.resolve((messages = []) => JSON.stringify(messages)),
  );
  const heard: unknown[] = [];
  const listen = (answer: () => void) =>
    port.onMessage((message) => {
      heard.push(message);
      answer();
    });
  return { port, fromPage, posted, filled, heard, listen };
}

describe('a panel’s port', () => {
  it('asks for the content before the page can, and brings all of it with the HTML', async () => {
    const { port, posted, filled, heard, listen } = panel();
    listen(() => {
      port.post('first');
      port.post('second');
    });
    await port.open();
    assert.deepEqual(heard, [ready]);
    assert.deepEqual(filled, ['["first","second"]']);
    assert.deepEqual(posted, []);
  });

  it('fills the page without content that takes long, and posts that once it is there', async () => {
    const { port, posted, filled, listen } = panel();
    listen(() => {});
    await port.open();
    assert.deepEqual(filled, ['[]']);
    port.post('late');
    assert.deepEqual(posted, ['late']);
  });

  it('leaves long content to the page to ask for', async () => {
    const { port, fromPage, filled, heard, listen } = panel();
    listen(() => port.post('long '.repeat(200_000)));
    await port.open();
    assert.deepEqual(filled, ['[]']);
    fromPage.fire(ready);
    assert.deepEqual(heard, [ready, ready]);
  });

  it('keeps nothing old for a page that comes back into sight, and has it ask', async () => {
    const { port, fromPage, filled, heard, listen } = panel();
    listen(() => port.post('content'));
    await port.open();
    await port.hide();
    assert.deepEqual(filled, ['["content"]', '[]']);
    fromPage.fire(ready);
    assert.deepEqual(heard, [ready, ready]);
  });
});
