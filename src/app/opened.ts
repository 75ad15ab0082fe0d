import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import { setContextKey } from '../editor/common/commands.ts';
import { type NamedKey, panelOf } from '../editor/common/panelUri.ts';
import type { App } from './app.ts';

/** Remembers what is opened from now on: a row of a tree opens its page by a command of the editor's own. */
export function noteOpenedPages({ extension, log, services }: App): Disposable {
  const note = async (key: NamedKey) => {
    if (key.kind === 'report') await setContextKey('reportLibrary.didRead', true);
    const { noteOpened } = await import('../editor/find/find.ts');
    await noteOpened(services, extension.globalState, key.kind === 'report' ? key.reportId : key.companyKey);
  };
  // A tab that comes back with its window was opened before, and is not told of here.
  return vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
    for (const tab of opened) {
      const key = panelOf(tab);
      if (key?.kind === 'report' || key?.kind === 'company')
        note(key).catch((error: unknown) => log.warn(`What was opened is not kept: ${String(error)}`));
    }
  });
}
