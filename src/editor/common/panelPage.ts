import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { pageHtml } from '../../protocol/page.ts';

/** One panel's page. */
export interface PanelPage {
  /** Names `dist/webview/<bundle>.js` and `media/panels/<bundle>.css`. */
  readonly bundle: string;
  readonly title: string;
  readonly hasWorker?: boolean;
}

/** What a page may do. All of it is in its HTML, so it may ask for no file. */
export const pageOptions: vscode.WebviewOptions = {
  enableScripts: true,
  enableForms: false,
  enableCommandUris: false,
  localResourceRoots: [],
};

/** Read once: they don't change while the extension runs. */
const texts = new Map<string, Promise<string>>();

/** Reads the files of a page ahead of its first use. Throws when one is missing. */
export async function pageMaker(
  extensionUri: vscode.Uri,
  { bundle, title, hasWorker = false }: PanelPage,
): Promise<(messages?: readonly unknown[]) => string> {
  const text = (...path: string[]) => {
    const { fsPath } = vscode.Uri.joinPath(extensionUri, ...path);
    const reading = texts.get(fsPath) ?? readFile(fsPath, 'utf8');
    texts.set(fsPath, reading);
    return reading;
  };
  const styles = Promise.all([
    text('dist', 'codicons', 'codicon.css'),
    text('media', 'panels', 'panel.css'),
    text('media', 'panels', `${bundle}.css`),
  ]);
  const scripts = Promise.all([text('dist', 'webview', 'shared.js'), text('dist', 'webview', `${bundle}.js`)]);
  const parts = {
    language: vscode.env.language,
    words: vscode.l10n.bundle,
    title,
    styles: await styles,
    scripts: await scripts,
    hasWorker,
  };
  return (messages = []) => pageHtml({ ...parts, nonce: randomBytes(16).toString('base64url'), messages });
}
