import * as vscode from 'vscode';
import type { Event } from '../../base/event.ts';
import type { SettingKey } from './contributions.ts';

/** Fires when one of the given settings changes. */
export function onDidChangeSetting(...keys: SettingKey[]): Event<void> {
  return (listener) =>
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (keys.some((key) => change.affectsConfiguration(key))) listener();
    });
}
