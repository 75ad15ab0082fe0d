import type { Page } from 'playwright-core';

/** More stops than any panel has. */
const maxStops = 200;

/**
 * Walks through a page with Tab, and within tables with the arrow keys. Gives the words of everything that can be
 * clicked, typed into or scrolled and was never reached.
 */
export async function neverReached(page: Page): Promise<string[]> {
  await page.evaluate(note);
  for (let stops = 0; stops < maxStops; stops++) {
    await page.keyboard.press('Tab');
    const stop = await reach(page);
    if (stop === 'end') break;
    if (stop === 'table') await walkTable(page);
  }
  return page.evaluate(`[...document.querySelectorAll(window.canBeUsed)]
    .filter((element) => element.checkVisibility() && !element.dataset.reached)
    .map((element) => element.ariaLabel || element.textContent.trim().slice(0, 60) || element.className)`);
}

/** From the first row to the last, each to its ends. */
async function walkTable(page: Page): Promise<void> {
  await page.keyboard.press('Home');
  await reach(page);
  do {
    while (await moves(page, 'ArrowLeft'));
    while (await moves(page, 'ArrowRight'));
  } while (await moves(page, 'ArrowDown'));
}

/** Whether a key led somewhere else than where the walk last looked. */
async function moves(page: Page, key: string): Promise<boolean> {
  await page.keyboard.press(key);
  return page.evaluate('window.hasMoved()');
}

function reach(page: Page): Promise<'end' | 'table' | 'stop'> {
  return page.evaluate('window.reach()');
}

const note = `
  window.canBeUsed = 'button:not(:disabled), vscode-button:not([disabled]), vscode-textfield, summary, a[href], main [tabindex="0"]';
  const walked = new Set();
  let last = null;
  window.hasMoved = () => {
    const before = last;
    window.reach();
    return last !== before;
  };
  window.reach = () => {
    const active = document.activeElement;
    last = active;
    if (!active || active === document.body) return 'end';
    if (active.dataset.reached && !active.matches('[data-stop]')) return 'end';
    active.dataset.reached = 'yes';
    const table = active.matches('[data-stop]') ? active.closest('table, [role=table]') : null;
    if (!table || walked.has(table)) return 'stop';
    walked.add(table);
    return 'table';
  };
`;
