import { arch, platform, release } from 'node:os';
import * as vscode from 'vscode';
import type { LoggedProblem, Services, Session } from '../../app/session.ts';
import { keyPrefix } from '../../base/secret.ts';

/** Copies what the service's support asks for: nothing that a person could not post. */
export async function copySupportInformation(services: Services, extensionVersion: string): Promise<void> {
  const { version, env } = vscode;
  const versions = [
    `Report Library ${extensionVersion}`,
    `VS Code ${version} (${env.appHost}${env.remoteName ? `, remote: ${env.remoteName}` : ''})`,
    `Node ${process.versions.node}, ${platform()} ${arch()} ${release()}`,
  ];
  await env.clipboard.writeText(supportInformation(await services.ready(), versions, services.failures));
  vscode.window.setStatusBarMessage(vscode.l10n.t('Support information copied'), 3_000);
}

/**
 * Information for the service's support, without secrets: versions, the origin, the key's first 15 characters (AUTH-2),
 * and the service's own numbers of the latest failures.
 */
export function supportInformation(
  session: Session,
  versions: readonly string[],
  failures: readonly LoggedProblem[],
): string {
  const lines = [...versions, `Session: ${session.kind}`];
  if ('connection' in session) {
    lines.push(`Service: ${new URL(session.connection.baseUrl).origin}`);
    lines.push(`Key begins with: ${keyPrefix(session.connection.key)}`);
  }
  lines.push(failures.length === 0 ? 'Latest failures: none' : 'Latest failures (time, kind, status, request):');
  for (const { at, problem } of failures) {
    const { kind, status, requestId } = problem;
    lines.push(`  ${new Date(at).toISOString()} ${kind} ${status ?? '-'} ${requestId ?? '-'}`);
  }
  return `${lines.join('\n')}\n`;
}
