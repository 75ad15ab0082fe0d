import assert from 'node:assert/strict';
import { results } from '../../scripts/places.ts';
import type { Secret } from '../../src/base/secret.ts';
import { filesHolding } from '../support/browser/canary.ts';
import { type EditorWindow, endsWithSuite, openEditor } from '../support/browser/editor.ts';
import { enterBaseUrl, leave, submit } from '../support/browser/signIn.ts';
import type { LoggedRequest } from '../support/demo/requestLog.ts';
import { startTestDemo, type TestDemo } from '../support/demo/testDemo.ts';
import { type LocalServer, serve } from '../support/localServer.ts';

const wrongKey = `rlk_demo_live_${'wrong0key1'.repeat(3)}`;

describe('signing in to a service', () => {
  let editor: EditorWindow;

  before(async () => {
    editor = await openEditor('sign-in', { settings: {} });
    await editor.openContainer('Report Library');
  });

  endsWithSuite(() => editor);

  describe('first light', () => {
    let demo: TestDemo;
    let portal: LocalServer;
    let replacement: Secret;

    before(async () => {
      demo = await startTestDemo();
      replacement = demo.control.issueKey({ label: 'replacement' });
      portal = await serve((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Guest network</title>');
      });
    });

    after(async () => {
      await portal?.close();
      await demo?.dispose();
    });

    const welcome = () => editor.view('Watchlist').locator('.welcome-view-content');
    const key = (secret: Secret) => secret.reveal();

    it('explains in the box what is wrong with a base URL, and what was meant', async () => {
      await welcome().getByRole('button', { name: 'Sign In…' }).click();
      await editor.quickTitle().filter({ hasText: 'Sign In to Report Library (1/2)' }).waitFor();
      await submit(editor, 'http://reports.example.com/api/v2');
      const plain = 'Plain http would show the API key to the network. Use https.';
      await editor.quickMessage().filter({ hasText: plain }).waitFor();
      const message = await editor.quickMessage().innerText();
      assert.ok(message.includes('Did you mean https://reports.example.com/api/v2?'), message);

      await editor.quickInput().press('Enter');
      await editor.quickTitle().filter({ hasText: '(2/2)' }).waitFor();
      await editor.quickMessage().filter({ hasText: 'Your API key for reports.example.com.' }).waitFor();
      await editor.quickTitle().getByRole('button', { name: 'Back' }).click();
      await editor.quickTitle().filter({ hasText: '(1/2)' }).waitFor();
      assert.equal(await editor.quickInput().inputValue(), 'https://reports.example.com/api/v2');

      await submit(editor, 'reports.example.org/api/v2');
      await editor.quickMessage().filter({ hasText: 'https:// is missing at the start.' }).waitFor();
      await editor.quickTitle().getByRole('button', { name: 'Use https://reports.example.org/api/v2' }).click();
      await editor.quickMessage().filter({ hasText: 'Your API key for reports.example.org.' }).waitFor();
      await leave(editor);
      assert.equal(demo.control.log.entries.length, 0);
    });

    it('hides the key as it is typed, and refuses a wrong one and an expired one in the same box', async () => {
      await enterBaseUrl(editor, demo.baseUrl);
      assert.equal(await editor.quickInput().getAttribute('type'), 'password');
      await submit(editor, wrongKey);
      await editor
        .quickMessage()
        .filter({ hasText: /does not accept the API key.* Check it, then paste it again\./ })
        .waitFor();
      const message = await editor.quickMessage().innerText();
      assert.ok(!message.includes(wrongKey.slice(15)), message);
      await welcome().getByRole('button', { name: 'Sign In…' }).waitFor();
      const asked = demo.control.log.entries.length;
      const first = await editor.quickMessage().innerText();
      await submit(editor, key(demo.keys.expired));
      // Each refusal names its own request, so a message that is left over is not taken for this one.
      await editor.quickMessage().filter({ hasText: 'expired' }).filter({ hasNotText: first }).waitFor();
      assert.deepEqual(
        demo.control.log.entries.slice(asked).map(({ key: label, status }) => [label, status]),
        [['expired', 401]],
      );
      await leave(editor);
    });

    it('says that an address answers with a web page, where it is mended with the key still there', async () => {
      await enterBaseUrl(editor, portal.baseUrl);
      await submit(editor, wrongKey);
      await editor.quickMessage().filter({ hasText: "but not with the service's data" }).waitFor();
      await editor.quickTitle().filter({ hasText: '(1/2)' }).waitFor();
      await submit(editor, demo.baseUrl);
      await editor.quickTitle().filter({ hasText: '(2/2)' }).waitFor();
      assert.equal(await editor.quickInput().inputValue(), wrongKey);
      await editor.quickInput().press('Enter');
      await editor.quickMessage().filter({ hasText: 'The service does not accept the API key' }).waitFor();
      await editor.page.keyboard.press('Control+Alt+Minus');
      await editor.quickTitle().filter({ hasText: '(1/2)' }).waitFor();
      await leave(editor);
    });

    it('signs in with a good key, checked before it is kept, and lists the companies', async () => {
      demo.control.log.clear();
      await enterBaseUrl(editor, demo.baseUrl);
      await submit(editor, key(demo.key));
      await editor.notification('Signed in: Demo Research Desk, 24 companies').waitFor();
      await editor.treeRow('Watchlist', 'Altenbruch').first().waitFor();
      await editor.hoverSays(editor.usage(), 'Companies');
      const rows = (await editor.hover().innerText()).split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
      const row = (label: string) => rows.find((each) => each.startsWith(label));
      assert.match(row('Requests left this minute') ?? '', /^Requests left this minute \d+ of \d+$/);
      assert.equal(row('Companies'), 'Companies 24');
      assert.equal(row('Key'), `Key ${key(demo.key).slice(0, 15)}`);
      const [first] = demo.control.log.entries;
      assert.equal(first?.route, 'GET /entitlements');
      assert.equal(first?.key, 'full');
      assert.match(first?.headers['user-agent'] ?? '', /^report-library-vscode\/\d/);
    });

    it('offers to replace a key that was revoked while in use, and goes on with the new one', async () => {
      // Once nothing is read any more: else the sync that runs is refused, and none is offered.
      await editor.loaded();
      await editor.usage().locator('.codicon-library').waitFor();
      demo.control.revokeKey('full');
      await editor.command('Report Library: Sync Now');
      await editor.usage().getByText('Key refused').waitFor();
      await editor.view('Watchlist').getByText('The service no longer accepts your key.').waitFor();
      await editor.treeRow('Watchlist', 'Altenbruch').first().waitFor();
      await editor.usage().click();
      const replace = editor.quickRow('Replace Key…');
      // The icon is not part of the name that is read aloud.
      assert.match((await replace.getAttribute('aria-label')) ?? '', /^Replace Key…/);
      await replace.click();
      await editor.quickTitle().filter({ hasText: '(1/2)' }).waitFor();
      assert.equal(await editor.quickInput().inputValue(), demo.baseUrl);
      await editor.quickInput().press('Enter');
      await editor.quickTitle().filter({ hasText: '(2/2)' }).waitFor();
      await submit(editor, key(replacement));
      await editor.usage().filter({ hasNotText: 'Key refused' }).waitFor();
      await editor.treeRow('Watchlist', 'Altenbruch').first().waitFor();
      assert.ok(demo.control.log.entries.some((entry) => entry.key === 'replacement'));
    });

    it('shows a key neither on a page nor in a file that it wrote', async () => {
      await editor.command('Report Library: Show Log');
      await editor.page.locator('.part.panel').getByText('Output').first().waitFor();
      // The library of the new key has its own rows.
      await editor.usage().locator('.codicon-library').waitFor();
      await editor.treeRow('Watchlist', 'Altenbruch').first().waitFor();
      const secrets = [demo.key, replacement, demo.keys.expired].map((secret) => key(secret));
      const canaries = [...secrets, wrongKey].map((text) => text.slice(15));
      const documents = await editor.documents();
      assert.ok(documents.some((text) => text.includes('Altenbruch')));
      assert.deepEqual(
        documents.filter((text) => canaries.some((canary) => text.includes(canary))),
        [],
      );
      assert.deepEqual(await filesHolding(editor.folder, canaries), []);
      assert.deepEqual(await filesHolding(results, canaries), []);
    });

    it('signs out to the two ways in, and the demo library is one of them', async () => {
      await editor.command('Report Library: Sign Out');
      await welcome().getByRole('button', { name: 'Sign In…' }).waitFor();
      assert.equal(await editor.view('Watchlist').getByRole('treeitem').count(), 0);
      await editor.usage().waitFor({ state: 'detached' });
      const asked = demo.control.log.entries.length;
      await editor.command('Report Library: Open Demo Library');
      await editor.treeRow('Watchlist', 'Altenbruch').first().waitFor();
      assert.equal(demo.control.log.entries.length, asked);
    });
  });

  /** A stranger signs in by keyboard alone, and does everything wrong first. */
  describe('by keyboard', () => {
    let demo: TestDemo;

    before(async () => {
      demo = await startTestDemo();
      await editor.command('Report Library: Sign Out');
      await isSignedOut();
      await editor.command('Notifications: Clear All Notifications');
    });

    after(async () => {
      await demo?.dispose();
    });

    const says = (words: string | RegExp) => editor.quickMessage().filter({ hasText: words }).waitFor();
    const step = (words: string) => editor.quickTitle().filter({ hasText: words }).waitFor();
    const isSignedOut = () => editor.view('Watchlist').getByRole('button', { name: 'Sign In…' }).waitFor();
    const press = (key: string) => editor.page.keyboard.press(key);

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
      await step('(2/2)');
      await press('Enter');
      await editor.notification('Signed in: Demo Research Desk, 24 companies').waitFor();
      await editor.treeRow('Watchlist', 'Altenbruch').first().waitFor();
    });

    it('asks the second time for a name, keeps what was typed on the way back, and leaves all as it was on Esc', async () => {
      const other = demo.control.issueKey({ label: 'other' });
      await enterBaseUrl(editor, demo.baseUrl, 3, async () => {
        await editor.usage().click();
        await editor.quickRow('Switch Connection…').waitFor();
        await editor.quickInput().fill('Switch Connection');
        await press('Enter');
        await editor.quickRow('Add Connection').waitFor();
        await editor.quickInput().fill('Add Connection');
        await press('Enter');
      });
      await submit(editor, other.reveal());
      await step('(3/3)');
      const suggested = await editor.quickInput().inputValue();
      assert.match(suggested, /^Demo Research Desk \(other\) · 127\.0\.0\.1/);
      await submit(editor, ' ');
      await says('Type a name.');
      await press('Control+Alt+Minus');
      await step('(2/3)');
      assert.equal(await editor.quickInput().inputValue(), other.reveal());
      await leave(editor);
      await editor.treeRow('Watchlist', 'Altenbruch').first().waitFor();
      assert.ok(!demo.control.log.to('GET /reports').some(({ key }) => key === 'other'));
    });
  });
});
