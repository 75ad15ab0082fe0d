import * as vscode from 'vscode';
/**
 * The address of a link in a PDF as it may leave the editor: http and https, without a name and password in it.
 * @throws Error with words for a person for everything else; a PDF may hold commands, files and scripts as links
 */
export function safeAddress(address: string): string {
  const url = URL.parse(address);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.hostname === '') {
    throw new Error(vscode.l10n.t('This link does not lead to a web page, so it was not opened.'));
  }
  if (url.username !== '' || url.password !== '') {
    throw new Error(vscode.l10n.t('This link has a user name or a password in it, so it was not opened.'));
  }
  return url.href;
}
