import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageExtension } from '../../bench/emptyExtension.ts';
import type { Host } from '../install/hosts.ts';
import type { Profile } from './profile.ts';
import { installExtension } from './server.ts';

/** Settings of `npm start`. The editor opens nothing by itself: what it opened late would cover the walkthrough. */
export const startSettings = (demo: boolean) => ({
  'workbench.startupEditor': 'none',
  'reportLibrary.demo.openAtStart': demo,
});

const script = `
  const vscode = require('vscode');
  exports.activate = async ({ workspaceState }) => {
    if (workspaceState.get('shown')) return;
    await workspaceState.update('shown', true);
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const readme = folder && vscode.Uri.joinPath(folder.uri, 'README.md');
    if (readme) await vscode.commands.executeCommand('markdown.showPreview', readme, [readme], { locked: true });
    const category = 'report-library.report-library#start';
    await vscode.commands.executeCommand('workbench.action.openWalkthrough', { category }, false);
    // Else the first click on a report would take its tab.
    await vscode.commands.executeCommand('workbench.action.keepEditor');
    await vscode.commands.executeCommand('reportLibrary.watchlist.focus');
  };`;

/** A small extension that opens the sample's README, our walkthrough over it and the sidebar in a new workspace; ours does nothing before it is asked to. */
export async function packageFirstLook(folder: string): Promise<string> {
  const manifest = { name: 'first-look', displayName: 'First Look', main: './main.js' };
  return packageExtension(join(folder, 'first-look'), { ...manifest, activationEvents: ['onStartupFinished'] }, script);
}

/** Puts it into a profile once. */
export async function installFirstLook(host: Host, folder: string, { options }: Profile): Promise<void> {
  if (existsSync(join(folder, 'first-look.vsix'))) return;
  await installExtension(host, await packageFirstLook(folder), options);
}
