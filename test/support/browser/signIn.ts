import type { TestDemo } from '../demo/testDemo.ts';
import { type EditorWindow, openEditor } from './editor.ts';

/** A fresh editor, `name`d as in {@link openEditor}, signed in to a service with its full key as a person does it. */
export async function openSignedIn(
  name: string,
  demo: TestDemo,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<EditorWindow> {
  const editor = await openEditor(name, { settings });
  try {
    await editor.page.setViewportSize({ width: 1400, height: 1100 });
    await editor.openContainer('Report Library');
    await enterBaseUrl(editor, demo.baseUrl);
    await submit(editor, demo.key.reveal());
    await editor.view('Watchlist').getByRole('treeitem').first().waitFor();
    // The sign-in's message goes.
    await editor.page.keyboard.press('Escape');
    return editor;
  } catch (error) {
    await editor.close();
    throw error;
  }
}

/**
 * Goes through Sign In… up to the box for the key, which must hide what is typed. Where connections exist, a third step
 * asks for a name.
 * @param open opens Sign In…; the palette has it only until somebody is signed in
 */
export async function enterBaseUrl(
  editor: EditorWindow,
  baseUrl: string,
  steps: 2 | 3 = 2,
  open = () => editor.command('Report Library: Sign In…'),
): Promise<void> {
  await open();
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
