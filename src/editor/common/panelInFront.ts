import * as vscode from 'vscode';
import { type PanelKey, panelKey } from './panelUri.ts';

/** The panel in front; undefined where something else is. */
export function panelInFront(): PanelKey | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom ? panelKey(input.uri) : undefined;
}
