import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';

/** What a page may do whose HTML has all of it: it may ask for no file. */
export const pageOptions: vscode.WebviewOptions = {
  enableScripts: true,
  enableForms: false,
  enableCommandUris: false,
  localResourceRoots: [],
};

interface PageFiles {
  readonly language: string;
  readonly words: Readonly<Record<string, string>> | undefined;
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
}

/** Read once: they don't change while the extension runs. */
const texts = new Map<string, Promise<string>>();

/** Styles that some pages share, by the page's name. */
const sharedStyles: Readonly<Record<string, string>> = { coverage: 'rowGrid', reportTable: 'rowGrid' };

/**
 * Reads the script, `media/panels/<look>.css` and what all pages share. Throws when one is missing.
 * @param hasBuilt false for a page that names the script and the icons by their addresses instead
 */
export async function pageFiles(
  extensionUri: vscode.Uri,
  bundle: string,
  { hasBuilt = true, look = bundle } = {},
): Promise<PageFiles> {
  const text = (...path: string[]) => {
    const { fsPath } = vscode.Uri.joinPath(extensionUri, ...path);
    const reading = texts.get(fsPath) ?? readFile(fsPath, 'utf8');
    texts.set(fsPath, reading);
    return reading;
  };
  const built = (name: string) => (hasBuilt ? [text('dist', 'webview', name)] : []);
  const sheets = ['panel', sharedStyles[bundle] ?? [], look]
    .flat()
    .map((name) => text('media', 'panels', `${name}.css`));
  const { language } = vscode.env;
  return {
    language,
    words: vscode.l10n.bundle,
    styles: await Promise.all([...built('codicons.css'), ...sheets]),
    scripts: await Promise.all(built(`${bundle}.js`)),
  };
}

/** What tells a page's own styles and scripts from others; another one for each HTML. */
export function newNonce(): string {
  return randomBytes(16).toString('base64url');
}
