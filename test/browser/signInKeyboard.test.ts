import assert from 'node:assert/strict';
import { type EditorWindow, openEditor } from '../support/browser/editor.ts';
import { enterBaseUrl, leave, submit } from '../support/browser/signIn.ts';
import type { LoggedRequest } from '../support/demo/requestLog.ts';
import { startTestDemo, type TestDemo } from '../support/demo/testDemo.ts';

/** A stranger signs in by keyboard alone, and does everything wrong first. */
describe('signing in by keyboard', () => {
  let editor: EditorWindow;
  let demo: TestDemo;

  before(async () => {
    demo = await startTestDemo();
    editor = await openEditor('sign-in-keyboard', { settings: {} });
    await editor.openContainer('Report Library');
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await editor.screenshot(`failed-${this.currentTest.title}`);
  });

  after(async () => {
    await editor?.close();
    await demo?.dispose();
  });

  const says = (words: string | RegExp) => editor.quickMessage().filter({ hasText: words }).waitFor();
  const step = (words: string) => editor.quickTitle().filter({ hasText: words }).waitFor();
  const isSignedOut = () => editor.view('Watchlist').getByRole('button', { name: 'Sign In…' }).waitFor();
  const press = (key: string) => editor.page.keyboard.press(key);

  it('says what is missing, and tells a key from an address', async () => {
    await editor.command('Report Library: Sign In…');
    await step('(1/2)');
    await press('Enter');
    await says('Enter the base URL of the service.');
    await submit(editor, demo.key.reveal());
    await says('This looks like an API key. Enter the base URL of the service.');
    await editor.quickInput().fill('');
    await submit(editor, 'reports.example.org');
    await says('Did you mean https://reports.example.org/api/v2? Press Enter to use it.');
    await editor.screenshot('sign-in-keys-1-meant');
    await press('Enter');
    await step('(2/2)');
    await press('Enter');
    await says('Enter the API key.');
    await submit(editor, demo.baseUrl);
    await says('This looks like a web address. Enter the API key.');
    await editor.screenshot('sign-in-keys-2-address');
    await leave(editor);
    await isSignedOut();
  });

  it('says that an address is not known to the network, where it can be mended', async () => {
    await enterBaseUrl(editor, 'https://reports.invalid/api/v2');
    await submit(editor, demo.key.reveal());
    await step('(1/2)');
    await editor.screenshot('sign-in-keys-3-unknown-host');
    await says("The server's name can't be found (DNS). Check the base URL and the connection.");
    await leave(editor);
    await isSignedOut();
  });

  it('goes back, or away, while a key is being checked, and gives the request up', async () => {
    for (const [key, left] of [
      ['Control+Alt+Minus', '(1/2)'],
      ['Escape', ''],
    ] as const) {
      const asked = Promise.withResolvers<LoggedRequest>();
      const when = (request: LoggedRequest) => {
        asked.resolve(request);
        return true;
      };
      demo.control.faults.set([{ match: { route: 'GET /entitlements', when }, action: { kind: 'stall' } }]);
      await enterBaseUrl(editor, demo.baseUrl);
      await submit(editor, demo.key.reveal());
      const request = await asked.promise;
      await says(`Checking the key with ${new URL(demo.baseUrl).host}…`);
      await editor.screenshot(`sign-in-keys-4-checking-${left ? 'back' : 'away'}`);
      await press(key);
      if (left) {
        await step(left);
        assert.equal(await editor.quickInput().inputValue(), demo.baseUrl);
        await leave(editor);
      } else await editor.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
      while (request.endedAt === null) await isSignedOut();
    }
    demo.control.faults.clear();
  });

  it('says that the service is down in the box of the key, which is tried again with Enter', async () => {
    demo.control.faults.set([
      { match: { route: 'GET /entitlements', times: 2 }, action: { kind: 'status', status: 503 } },
    ]);
    await enterBaseUrl(editor, demo.baseUrl);
    await submit(editor, demo.key.reveal());
    await says(/service/i);
    await editor.screenshot('sign-in-keys-5-down');
    await step('(2/2)');
    await press('Enter');
    await editor.notification('Signed in: Demo Research Desk, 24 companies').waitFor();
    await editor.treeRow('Watchlist', 'Altenbruch').first().waitFor();
  });

  it('asks the second time for a name, keeps what was typed on the way back, and leaves all as it was on Esc', async () => {
    const other = demo.control.issueKey({ label: 'other' });
    await enterBaseUrl(editor, demo.baseUrl, 3);
    await submit(editor, other.reveal());
    await step('(3/3)');
    const suggested = await editor.quickInput().inputValue();
    assert.match(suggested, /^Demo Research Desk \(other\) · 127\.0\.0\.1/);
    await submit(editor, ' ');
    await says('Type a name.');
    await editor.screenshot('sign-in-keys-6-name');
    await press('Control+Alt+Minus');
    await step('(2/3)');
    assert.equal(await editor.quickInput().inputValue(), other.reveal());
    await leave(editor);
    await editor.treeRow('Watchlist', 'Altenbruch').first().waitFor();
    assert.ok(!demo.control.log.to('GET /reports').some(({ key }) => key === 'other'));
  });
});
