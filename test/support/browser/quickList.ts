import { errors } from 'playwright-core';
import type { EditorWindow } from './editor.ts';

/** A list that a key opens above the editors. */
export interface QuickList {
  readonly key: string;
  readonly prefix: string;
  readonly placeholder: string;
}

export const palette: QuickList = { key: 'F1', prefix: '>', placeholder: 'name of a command' };
export const files: QuickList = { key: 'Control+P', prefix: '', placeholder: 'Search files by name' };

/** How long (ms) the editor takes to offer something that it knows. */
const timeout = 2_000;

/** Opens a list where it is not, types a title, and goes to its row. Gives whether the keyboard is there. */
export async function isOffered(
  editor: EditorWindow,
  { key, prefix, placeholder }: QuickList,
  title: string,
): Promise<boolean> {
  const list = editor.quickInput().and(editor.page.getByPlaceholder(placeholder));
  const row = editor.quickRow(title).first();
  try {
    if (await list.isVisible()) await list.fill(prefix, { timeout });
    else await editor.page.keyboard.press(key);
    await list.fill(`${prefix}${title}`, { timeout });
    await row.waitFor({ timeout });
    const isThere = async () => (await row.getAttribute('class', { timeout }))?.split(' ').includes('focused') === true;
    // What was run lately may stand before what was typed.
    for (let rows = 0; rows < 5 && !(await isThere()); rows += 1) await list.press('ArrowDown', { timeout });
    return await isThere();
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error;
    return false;
  }
}
