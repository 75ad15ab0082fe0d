import * as vscode from 'vscode';
import type { Event } from '../../base/disposable.ts';
import type { applicationSettings, resourceSettings, SettingKey, SettingTypes } from './contributions.ts';

type ApplicationSetting = (typeof applicationSettings)[number];
type ResourceSetting = (typeof resourceSettings)[number];

/**
 * A setting that only the user can set. Reads the user's own value and never the merged one: on older hosts an
 * untrusted workspace can smuggle a nested value into the merged result (AUTH-4).
 */
export function applicationSetting<K extends ApplicationSetting>(key: K): SettingTypes[K] {
  const inspected = vscode.workspace.getConfiguration().inspect<SettingTypes[K]>(key);
  const fallback = inspected?.defaultValue;
  const value = inspected?.globalValue;
  const chosen = typeof value === typeof fallback ? value : fallback;
  if (chosen === undefined) throw new Error(`The setting ${key} has no default.`);
  return chosen;
}

/** A setting that a trusted folder may set, as it applies to `scope`. */
export function resourceSetting<K extends ResourceSetting>(key: K, scope: vscode.Uri | undefined): SettingTypes[K] {
  const configuration = vscode.workspace.getConfiguration(undefined, scope ?? null);
  const inspected = configuration.inspect<SettingTypes[K]>(key);
  const fallback = inspected?.defaultValue;
  const merged = vscode.workspace.isTrusted ? configuration.get<SettingTypes[K]>(key) : inspected?.globalValue;
  const chosen = typeof merged === typeof fallback ? merged : fallback;
  if (chosen === undefined) throw new Error(`The setting ${key} has no default.`);
  return chosen;
}

/** Fires when one of the given settings changes. */
export function onDidChangeSetting(...keys: SettingKey[]): Event<void> {
  return (listener) =>
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (keys.some((key) => change.affectsConfiguration(key))) listener();
    });
}
