/** Makes the element that a page draws into. */
export function pageRoot(): HTMLElement {
  const root = document.createElement('main');
  document.body.prepend(root);
  // The button component acts on the space bar but leaves the browser to scroll the page as well.
  root.addEventListener('keydown', (event) => {
    if (event.key === ' ' && event.target instanceof HTMLElement && event.target.matches('vscode-button'))
      event.preventDefault();
  });
  return root;
}
