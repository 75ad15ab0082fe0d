import * as os from 'node:os';
import * as vscode from 'vscode';
import { keyPrefix } from '../../base/secret.ts';
import type { Session } from '../../services.ts';

/** What helps the service's support and holds no secret: versions, the origin, and the key's first 15 characters (AUTH-2). */
export function supportInformation(session: Session, version: string): string {
  const lines = [
    `Report Library ${version}`,
    `VS Code ${vscode.version} (${vscode.env.appHost}${vscode.env.remoteName ? `, remote: ${vscode.env.remoteName}` : ''})`,
    `Node ${process.versions.node}, ${os.platform()} ${os.arch()} ${os.release()}`,
    `Session: ${session.kind}`,
  ];
  if ('connection' in session) {
    lines.push(`Service: ${new URL(session.connection.baseUrl).origin}`);
    lines.push(`Key begins with: ${keyPrefix(session.connection.key)}`);
  }
  if (session.kind === 'keyRefused' && session.problem.requestId)
    lines.push(`Last request: ${session.problem.requestId}`);
  return `${lines.join('\n')}\n`;
}
