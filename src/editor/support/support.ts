import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { keyPrefix } from '../../base/secret.ts';
import type { LoggedProblem, Services, Session } from '../../services.ts';
import { registerCommand } from '../common/commands.ts';
import type { Log } from '../common/log.ts';

/** Show Log, and Copy Support Information: what the service's support asks for, nothing that a person could not post. */
export function registerSupport(services: Services, extensionVersion: string, log: Log): Disposable {
  const store = new DisposableStore();
  store.add(registerCommand('showLog', log, async () => log.show()));
  store.add(
    registerCommand('copySupportInformation', log, async () => {
      const { version, env } = vscode;
      const os = await import('node:os');
      const versions = [
        `Report Library ${extensionVersion}`,
        `VS Code ${version} (${env.appHost}${env.remoteName ? `, remote: ${env.remoteName}` : ''})`,
        `Node ${process.versions.node}, ${os.platform()} ${os.arch()} ${os.release()}`,
      ];
      await env.clipboard.writeText(supportInformation(await services.ready(), versions, services.failures));
      vscode.window.setStatusBarMessage(vscode.l10n.t('Support information copied'), 3_000);
    }),
  );
  return store;
}

/**
 * What helps the service's support and holds no secret: versions, the origin, the key's first 15 characters (AUTH-2), and
 * the service's own numbers of the latest failures.
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
