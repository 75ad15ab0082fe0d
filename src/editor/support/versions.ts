import * as os from 'node:os';
import * as vscode from 'vscode';
import type { Versions } from './supportInformation.ts';

/** The extension, the editor and the machine in a few lines. */
export function versions(extensionVersion: string): Versions {
  const { version, env } = vscode;
  return [
    `Report Library ${extensionVersion}`,
    `VS Code ${version} (${env.appHost}${env.remoteName ? `, remote: ${env.remoteName}` : ''})`,
    `Node ${process.versions.node}, ${os.platform()} ${os.arch()} ${os.release()}`,
  ];
}
