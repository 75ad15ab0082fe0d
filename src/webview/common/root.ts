import { l10n } from '../../base/l10n.ts';
import { readDataBlock } from '../../protocol/page.ts';

type Words = Readonly<Record<string, string>> | undefined;

/** Takes up the reader's language, and makes the element that a page draws into. */
export function pageRoot(): HTMLElement {
  l10n.speak(document.documentElement.lang, readDataBlock(document.querySelector('#words')?.textContent) as Words);
  const root = document.createElement('main');
  document.body.prepend(root);
  // Read while the first message is on its way, the icons' font makes the page lay nothing out twice.
  void document.fonts.load('16px codicon');
  // The button component acts on the space bar but leaves the browser to scroll the page as well.
  root.addEventListener('keydown', (event) => {
    if (event.key === ' ' && event.target instanceof HTMLElement && event.target.matches('vscode-button'))
      event.preventDefault();
  });
  return root;
}
