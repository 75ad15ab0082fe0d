import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { type EditorWindow, endsWithSuite, openEditor } from '../support/browser/editor.ts';
import { leave } from '../support/browser/signIn.ts';

const view = 'Watchlist';

/**
 * What each link and button of our own words leads to, and which step is ticked by what: the editor would say nothing
 * of a command that is gone.
 */
describe('the walkthrough, the welcome texts and the sidebar', () => {
  let editor: EditorWindow;

  before(async () => {
    // A step that unfolds takes the keyboard: a quarter of a second later, out of a picker, while motion is on.
    editor = await openEditor('walkthrough', { settings: { 'workbench.reduceMotion': 'on' } });
    await editor.page.setViewportSize({ width: 1500, height: 1000 });
  });

  endsWithSuite(() => editor);

  const link = (pane: string, name: string) => editor.view(pane).locator('a', { hasText: name });
  const title = (text: string | RegExp) => editor.quickTitle().filter({ hasText: text });

  async function asks(text: string | RegExp): Promise<void> {
    await title(text).waitFor();
    await leave(editor);
  }

  async function openWalkthrough(): Promise<void> {
    await editor.command('Welcome: Open Walkthrough...');
    await editor.quickInput().fill('Report Library');
    await editor.quickRow('Report Library').first().click();
    await editor.page.locator('.gettingStartedContainer .getting-started-step').first().waitFor();
  }

  /** A button or link of a step, which is unfolded for it. */
  async function inStep(step: string, name: string): Promise<Locator> {
    const box = editor.page.locator('.getting-started-step', { hasText: step });
    if (!((await box.getAttribute('class')) ?? '').includes('expanded')) {
      await box.click();
      await box.and(editor.page.locator('.expanded:focus')).waitFor();
    }
    return box.getByText(name, { exact: true });
  }

  const titles = [
    'Sign in',
    'Find and read',
    'Download a verified',
    'Use it in a notebook',
    'Search your PDFs and quote',
  ];
  const ticked = (title: string) =>
    editor.page.locator('.getting-started-step', { hasText: title }).locator('.codicon.complete:visible');

  /** Opens the walkthrough anew, waits for the tick of `last`, and gives the steps that have one. */
  async function done(last: string): Promise<string[]> {
    await openWalkthrough();
    await ticked(last).waitFor();
    const counts = await Promise.all(titles.map((title) => ticked(title).count()));
    return titles.filter((_, index) => counts[index] === 1);
  }

  it('ask a newcomer to sign in, or open the demo', async () => {
    await editor.openContainer('Report Library');
    for (const pane of ['Reports', "What's New"]) {
      await editor.page.locator(`.pane-header[aria-label^="${pane}"]`).click();
      await link(pane, 'Sign in').click();
      await asks('(1/2)');
      await link(pane, 'open the demo library').waitFor();
      await editor.page.locator(`.pane-header[aria-label^="${pane}"]`).click();
    }
    await editor.view(view).getByRole('button', { name: 'Sign In…' }).click();
    await asks('(1/2)');
    await editor.view(view).getByRole('button', { name: 'Open Demo Library' }).waitFor();
    assert.equal(await editor.view(view).locator('.welcome-view-content p').count(), 1);
    await editor.page.locator('.pane-header[aria-label^="Downloads"]').click();
    await link('Downloads', 'Restore its PDFs').click();
    await editor.notification(/reports\.lock\.json/).waitFor();
    await editor.page.locator('.pane-header[aria-label^="Downloads"]').click();
  });

  it('lead a newcomer to the demo, which ticks the first step', async () => {
    await openWalkthrough();
    await (await inStep('Sign in, or open', 'Open Demo Library')).click();
    await editor.treeRow(view, 'Altenbruch').waitFor();
    // The keyboard goes to the rows also while the library loads, and stays there.
    await editor.command('Report Library: Focus on Watchlist View');
    await editor.view(view).locator('.monaco-list:focus').waitFor();
    await editor.page.keyboard.press('Home');
    await editor.focusedRow('Aarhorn').waitFor();
    await editor.loaded();
    await editor.focusedRow('Aarhorn').waitFor();
    await editor.page.locator('.getting-started-step', { hasText: 'Sign in, or open' }).locator('.complete').waitFor();
    await editor.page.locator('.pane-header[aria-label^="What\'s New"]').click();
    await editor.view("What's New").getByText('Sync Now').click();
    await editor.notification(/Library synced|up to date/i).waitFor();
    await editor.page.locator('.pane-header[aria-label^="What\'s New"]').click();
    await editor.command('Notifications: Clear All Notifications');
  });

  it('the status bar has a menu of seven entries', async () => {
    await editor.usage().click();
    await editor.quickRow('Show Log').first().waitFor();
    assert.equal(await editor.quickRow(/./).and(editor.page.locator('[role=option], .monaco-list-row')).count(), 7);
    await editor.page.keyboard.press('Escape');
  });

  it('each thing that is done ticks its step, and no other', async () => {
    assert.deepEqual(await done('Sign in'), titles.slice(0, 1));
    await editor.treeRow('Watchlist', 'Altenbruch').click();
    await editor.treeRow('Watchlist', 'Fiscal year 2024').click();
    await editor
      .treeRow('Watchlist', /^Sustainability/)
      .first()
      .click();
    await editor.webview().getByRole('button', { name: 'Download PDF' }).waitFor();
    assert.deepEqual(await done('Find and read'), titles.slice(0, 2));
    await editor.rowButton(editor.treeRow('Watchlist', /^Sustainability/).first(), /Download/);
    await editor.view('Watchlist').locator('[aria-label*="PDF downloaded, verified"]').first().waitFor();
    assert.deepEqual(await done('Download a verified'), titles.slice(0, 3));
  });

  it('have each button of the walkthrough do what it says', async () => {
    await editor.closeTabs();
    // What is selected would be taken for what is meant.
    await editor.command('Report Library: Focus on Watchlist View');
    await editor.view(view).locator('.monaco-list:focus').waitFor();
    await editor.page.keyboard.press('Escape');
    await editor.view(view).locator('.monaco-list-row.selected').waitFor({ state: 'detached' });
    await openWalkthrough();
    await (await inStep('Sign in, or open', 'Sign In…')).click();
    await asks('(1/2)');
    await (await inStep('Find and read', 'Find Company or Report…')).click();
    await asks('Find Company or Report');
    await (await inStep('Find and read', 'Resolve Identifiers…')).click();
    await editor.quickInput().waitFor();
    await leave(editor);
    await editor.command('Report Library: Open Report…');
    await title('Open Report').waitFor();
    await editor.quickInput().fill('altenbruch 2024');
    await editor.quickRow('Sustainability Report').first().waitFor();
    await editor.quickInput().fill('424242');
    await editor.quickRow('Ask the service for “424242”').waitFor();
    await editor.quickInput().fill('XETR_ALBM_2024_SR');
    // Accepted before the rows have followed.
    await editor.page.keyboard.press('Enter');
    await editor.editorTab('Sustainability Report 2023/2024').waitFor();
    await editor.panelFocused();
    await openWalkthrough();
    await (await inStep('Download a verified', 'Download PDFs…')).click();
    await title('Download PDFs').waitFor();
    await editor.quickInput().fill('altenbruch 2025 sustainability');
    await editor.quickRow('Altenbruch').first().waitFor();
    await editor.page.keyboard.press('ArrowDown');
    await editor.page.keyboard.press('Space');
    await editor.page.keyboard.press('Enter');
    await editor.notification('Downloaded').or(editor.notification('downloaded')).first().waitFor();
    await (await inStep('Search your PDFs and quote', 'Find in PDFs…')).click();
    await asks('Find in PDFs');
    await (await inStep('Use it in a notebook', 'Insert into Notebook')).click();
    await title('Insert into Notebook').waitFor();
    await editor.quickRow('·').first().waitFor();
    await leave(editor);
    await (await inStep('Find and read', 'Open Schema Dictionary')).click();
    await editor.editorTab('Schema Dictionary').waitFor();
  });

  it('copy what other agents are configured with, and tick that step', async () => {
    await openWalkthrough();
    await (await inStep('Let your assistant', 'Copy MCP Configuration')).click();
    await ticked('Let your assistant').waitFor();
    await editor.page.getByText('MCP configuration copied').first().waitFor();
  });
});
