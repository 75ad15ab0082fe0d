import * as os from 'node:os';
import * as vscode from 'vscode';
import type { Services } from '../../services.ts';
import { supportInformation } from './supportInformation.ts';

/** Copies what the service's support asks for: nothing that a person could not post. */
export async function copySupport(services: Services, extensionVersion: string): Promise<void> {
  const { version, env } = vscode;
  const versions = [
    `Report Library ${extensionVersion}`,
    `VS Code ${version} (${env.appHost}${env.remoteName ? `, remote: ${env.remoteName}` : ''})`,
    `Node ${process.versions.node}, ${os.platform()} ${os.arch()} ${os.release()}`,
  ];
  await env.clipboard.writeText(supportInformation(await services.ready(), versions, services.failures));
  vscode.window.setStatusBarMessage(vscode.l10n.t('Support information copied'), 3_000);
}
