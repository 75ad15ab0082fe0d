import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { ApiError, type ProblemKind } from '../../api/transport/errors.ts';
import type { Connection, Services } from '../../services.ts';
import { notificationText, withCancellableProgress } from '../common/messages.ts';
import { openPdfFile } from '../common/openPdfFile.ts';
import { GuideStore, type KeptGuide } from './keptFiles.ts';

/** Problems that say nothing about the field guide itself: the kept one is as good as before. */
const passing = new Set<ProblemKind>(['network', 'edge-page', 'rate-limited', 'temporary']);

/**
 * Fetches the field guide, keeps it, and opens it. When the service can't be reached the kept one is opened, and a
 * message says so.
 * @throws ApiError as the call does, when there is no kept one or the service has another reason
 */
export async function openFieldGuide(services: Services, globalFolder: vscode.Uri): Promise<void> {
  const session = await services.ready();
  if (!('connection' in session)) {
    throw new Error(
      vscode.l10n.t('You are not signed in. Sign in with your key, or open the demo library, to read the field guide.'),
    );
  }
  const store = new GuideStore(folderOf(session.connection, globalFolder));
  const kept = await store.kept();
  const { guide, problem } = await withCancellableProgress(vscode.l10n.t('Reading the field guide'), (signal) =>
    latest(services, store, kept, signal),
  );
  await openPdfFile(vscode.Uri.file(guide.path));
  if (problem === undefined) return;
  const day = new Date(guide.fetchedAt).toLocaleDateString(vscode.env.language, { dateStyle: 'long' });
  void vscode.window.showInformationMessage(
    notificationText(vscode.l10n.t('This is the field guide of {0}. {1}', day, problem.message)),
  );
}

async function latest(
  services: Services,
  store: GuideStore,
  kept: KeptGuide | undefined,
  signal: AbortSignal,
): Promise<{ readonly guide: KeptGuide; readonly problem?: ApiError }> {
  try {
    const tries = kept ? 1 : undefined;
    const options = { signal, tries, etag: kept?.etag, priority: 'interactive' } as const;
    const { bytes, etag } = await services.call((client) => client.fieldGuide(options));
    if (bytes === null && kept) return { guide: kept };
    return { guide: await store.keep(bytes ?? new Uint8Array(), etag, Date.now()) };
  } catch (error) {
    if (kept && error instanceof ApiError && passing.has(error.problem.kind)) return { guide: kept, problem: error };
    throw error;
  }
}

/** A folder for each service, so that one's guide never stands for another's. The demo has another port each time. */
function folderOf({ isDemo, baseUrl }: Connection, globalFolder: vscode.Uri): string {
  const service = isDemo ? 'demo' : createHash('sha256').update(new URL(baseUrl).origin).digest('hex').slice(0, 16);
  return vscode.Uri.joinPath(globalFolder, 'field-guide', service).fsPath;
}
