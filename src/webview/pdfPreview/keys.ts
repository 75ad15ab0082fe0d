import type { Position } from '../../protocol/pdfPreview.ts';
import type { ToolActions } from './page.ts';

interface Keyboard {
  readonly actions: ToolActions;
  position(): Position;
  pages(): number;
}

/**
 * What the keyboard does: Ctrl+F (Cmd+F) and F3 find, Escape ends that, + - 0 zoom, W and P fit, the arrows to the
 * sides and Home and End turn pages. What is handled here does not reach the editor.
 */
export function onKeys(keyboard: Keyboard): void {
  document.addEventListener('keydown', (event) => {
    const run = findKey(event, keyboard.actions) ?? pageKey(event, keyboard);
    if (run === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  });
}

function findKey(event: KeyboardEvent, actions: ToolActions): (() => void) | undefined {
  const { key, shiftKey, altKey } = event;
  const isCommand = event.ctrlKey || event.metaKey;
  if (isCommand && !altKey && !shiftKey && key.toLowerCase() === 'f') return () => actions.openFind();
  if (isCommand || altKey) return undefined;
  if (key === 'F3') return () => actions.findAgain(shiftKey ? 'previous' : 'next');
  return key === 'Escape' ? () => actions.closeFind() : undefined;
}

function pageKey(event: KeyboardEvent, { actions, position, pages }: Keyboard): (() => void) | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement) return undefined;
  const { page } = position();
  switch (event.key) {
    case '+':
    case '=':
      return () => actions.zoomBy(1);
    case '-':
      return () => actions.zoomBy(-1);
    case '0':
      return () => actions.zoom(1);
    case 'w':
      return () => actions.zoom('page-width');
    case 'p':
      return () => actions.zoom('page-fit');
    case 'ArrowRight':
      return () => actions.goTo(page + 1);
    case 'ArrowLeft':
      return () => actions.goTo(page - 1);
    case 'Home':
      return () => actions.goTo(1);
    case 'End':
      return () => actions.goTo(pages());
    default:
      return undefined;
  }
}
