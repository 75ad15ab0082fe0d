import * as vscode from 'vscode';
import type { Event } from '../../base/disposable.ts';
import type { applicationSettings, resourceSettings } from './contributions.ts';

type ApplicationSettings = typeof applicationSettings;
type ResourceSettings = typeof resourceSettings;

/**
 * A setting that only the user can set. Reads the user's own value and never the merged one: on older hosts an
 * untrusted workspace can smuggle a nested value into the merged result (AUTH-4).
 */
export function applicationSetting<K extends keyof ApplicationSettings>(key: K): ApplicationSettings[K] {
  const inspected = vscode.workspace.getConfiguration().inspect<ApplicationSettings[K]>(key);
  return ofRightType(key, inspected?.globalValue, inspected?.defaultValue);
}

/** A setting that a trusted folder may set, as it applies to `scope`. */
export function resourceSetting<K extends keyof ResourceSettings>(
  key: K,
  scope: vscode.Uri | undefined,
): ResourceSettings[K] {
  const configuration = vscode.workspace.getConfiguration(undefined, scope ?? null);
  const inspected = configuration.inspect<ResourceSettings[K]>(key);
  const merged = vscode.workspace.isTrusted ? configuration.get<ResourceSettings[K]>(key) : inspected?.globalValue;
  return ofRightType(key, merged, inspected?.defaultValue);
}

function ofRightType<T>(key: string, value: T | undefined, fallback: T | undefined): T {
  const chosen = typeof value === typeof fallback ? value : fallback;
  if (chosen === undefined) throw new Error(`The setting ${key} has no default.`);
  return chosen;
}

export function onDidChangeSetting(...keys: (keyof ApplicationSettings | keyof ResourceSettings)[]): Event<void> {
  return (listener) =>
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (keys.some((key) => change.affectsConfiguration(key))) listener();
    });
}
