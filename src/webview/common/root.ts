import { l10n } from '../../base/l10n.ts';

/** Takes up the reader's language, and makes the element that a page draws into. */
export function pageRoot(): HTMLElement {
  const words = document.querySelector('script[type="application/json"]')?.textContent;
  l10n.speak(document.documentElement.lang, words ? JSON.parse(words) : undefined);
  const root = document.createElement('main');
  document.body.prepend(root);
  // The button component acts on the space bar but leaves the browser to scroll the page as well.
  root.addEventListener('keydown', (event) => {
    if (event.key === ' ' && event.target instanceof HTMLElement && event.target.matches('vscode-button'))
      event.preventDefault();
  });
  return root;
}
