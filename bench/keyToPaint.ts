import type { Page } from 'playwright-core';

/**
 * Runs in the window: from the next key until `isThere` (an expression over `target`, the element that `find` gives when
 * the key comes) holds, and the frame after that has begun.
 */
const measure = (find: string, isThere: string) => `(() => {
  window.spent = new Promise((resolve) => {
    addEventListener('keydown', () => {
      const start = performance.now();
      const target = ${find};
      const look = () => {
        if (!(${isThere})) return;
        watching.disconnect();
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
      };
      const watching = new MutationObserver(look);
      watching.observe(document.body, { childList: true, subtree: true, attributes: true, characterData: true });
    }, { capture: true, once: true });
  });
})()`;

async function keyToPaint(page: Page, key: string, find: string, isThere: string): Promise<number> {
  await page.evaluate(measure(find, isThere));
  await page.keyboard.press(key);
  return (await page.evaluate('window.spent')) as number;
}

/** Opens the focused row of a tree with the right arrow; until its first children are painted, ms. */
export async function expandFocused(page: Page): Promise<number> {
  const row = `document.querySelector('.monaco-list:focus .monaco-list-row.focused')`;
  const next = `document.querySelector('.monaco-list:focus .monaco-list-row[data-index="' + (+target.index + 1) + '"]')`;
  const deeper = `+(${next}?.getAttribute('aria-level') ?? 0) > +target.level && ${next}.textContent.trim() !== ''`;
  const about = `(({ dataset, ariaLevel }) => ({ index: dataset.index, level: ariaLevel }))(${row})`;
  return keyToPaint(page, 'ArrowRight', about, deeper);
}

/** Types a letter into the open quick pick; until it has a row with these words, ms. */
export async function typeLastLetter(page: Page, letter: string, row: string): Promise<number> {
  const rows = `document.querySelectorAll('.quick-input-widget .quick-input-list .monaco-list-row')`;
  return keyToPaint(page, letter, 'null', `[...${rows}].some((one) => one.textContent.includes('${row}'))`);
}

/** Types one letter into the open quick pick; until its first results are painted, ms. */
export async function typeLetter(page: Page, letter: string): Promise<number> {
  const rows = `document.querySelectorAll('.quick-input-widget .quick-input-list .monaco-list-row')`;
  return keyToPaint(page, letter, 'null', `[...${rows}].some((row) => row.textContent.trim() !== '')`);
}
