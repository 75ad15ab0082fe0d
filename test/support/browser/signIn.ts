import type { EditorWindow } from './editor.ts';

/**
 * Goes through Sign In… up to the box for the key, which must hide what is typed. Who has connections already is asked
 * for a name as the third step.
 */
export async function enterBaseUrl(editor: EditorWindow, baseUrl: string, steps: 2 | 3 = 2): Promise<void> {
  await editor.command('Report Library: Sign In…');
  await editor
    .quickTitle()
    .filter({ hasText: `(1/${steps})` })
    .waitFor();
  await submit(editor, baseUrl);
  await editor
    .quickTitle()
    .filter({ hasText: `(2/${steps})` })
    .waitFor();
}

/** Types into the open box and presses Enter, as one would. */
export async function submit(editor: EditorWindow, text: string): Promise<void> {
  const input = editor.quickInput();
  await input.fill(text);
  await input.press('Enter');
}

/** Leaves whatever box is open. */
export async function leave(editor: EditorWindow): Promise<void> {
  await editor.page.keyboard.press('Escape');
  await editor.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
}
