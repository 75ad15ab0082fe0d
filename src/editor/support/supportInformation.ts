import { keyPrefix } from '../../base/secret.ts';
import type { Failure, Session } from '../../services.ts';

/**
 * What helps the service's support and holds no secret: versions, the origin, the key's first 15 characters (AUTH-2), and
 * the service's own numbers of the latest failures.
 */
export function supportInformation(
  session: Session,
  versions: readonly string[],
  failures: readonly Failure[],
): string {
  const lines = [...versions, `Session: ${session.kind}`];
  if ('connection' in session) {
    lines.push(`Service: ${new URL(session.connection.baseUrl).origin}`);
    lines.push(`Key begins with: ${keyPrefix(session.connection.key)}`);
  }
  lines.push(failures.length === 0 ? 'Latest failures: none' : 'Latest failures (time, kind, status, request):');
  lines.push(...failures.map(failureLine));
  return `${lines.join('\n')}\n`;
}

function failureLine({ at, problem: { kind, status, requestId } }: Failure): string {
  return `  ${new Date(at).toISOString()} ${kind} ${status ?? '-'} ${requestId ?? '-'}`;
}
