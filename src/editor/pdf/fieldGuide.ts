import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { ApiError, type ProblemKind } from '../../api/transport/errors.ts';
import type { Connection, Services } from '../../app/session.ts';
import { notificationText } from '../common/messages.ts';
import { openPdfFile } from '../common/openPdfFile.ts';
import { withCancellableProgress } from '../common/progress.ts';

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
  const folder = folderOf(session.connection, globalFolder);
  const kept = await keptGuide(folder);
  const { guide, problem } = await withCancellableProgress(vscode.l10n.t('Reading the field guide'), (signal) =>
    latest(services, folder, kept, signal),
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
  folder: string,
  kept: KeptGuide | undefined,
  signal: AbortSignal,
): Promise<{ readonly guide: KeptGuide; readonly problem?: ApiError }> {
  try {
    const tries = kept ? 1 : undefined;
    const options = { signal, tries, etag: kept?.etag, priority: 'interactive' } as const;
    const { bytes, etag } = await services.call((client) => client.fieldGuide(options));
    if (bytes === null && kept) return { guide: kept };
    return { guide: await keepGuide(folder, bytes ?? new Uint8Array(), etag, Date.now()) };
  } catch (error) {
    if (kept && error instanceof ApiError && passing.has(error.problem.kind)) return { guide: kept, problem: error };
    throw error;
  }
}

/** A folder for each service, so that one's guide never stands for another's. The demo has another port each time. */
function folderOf({ isDemo, baseUrl }: Connection, globalFolder: vscode.Uri): string {
  const service = isDemo ? 'demo' : hashOf(new URL(baseUrl).origin).slice(0, 16);
  return vscode.Uri.joinPath(globalFolder, 'field-guide', service).fsPath;
}

interface KeptGuide {
  readonly path: string;
  /** Names this version toward the service; undefined when the service gives no versions. */
  readonly etag: string | undefined;
  /** When it came, ms since the epoch. */
  readonly fetchedAt: number;
}

const pdfName = 'Field Guide.pdf';
const noteName = 'field-guide.json';

/** What is known of the kept one, beside it. */
const noteSchema = z.object({
  sha256: z.string(),
  etag: z.nullable(z.string()),
  fetched_at: z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)))),
});

/** The one that a folder holds; undefined when there is none, or when it is not the file that was kept. */
export async function keptGuide(folder: string): Promise<KeptGuide | undefined> {
  const path = join(folder, pdfName);
  try {
    const note = noteSchema.parse(JSON.parse(await readFile(join(folder, noteName), 'utf8')));
    if (hashOf(await readFile(path)) !== note.sha256) return undefined;
    return { path, etag: note.etag ?? undefined, fetchedAt: Date.parse(note.fetched_at) };
  } catch {
    // Not there, or not whole: it is fetched again either way.
    return undefined;
  }
}

/** Takes the place of the one before. @throws the system's error; a half-written one is never taken for a whole */
export async function keepGuide(
  folder: string,
  bytes: Uint8Array,
  etag: string | null,
  fetchedAt: number,
): Promise<KeptGuide> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const note = { sha256: hashOf(bytes), etag, fetched_at: new Date(fetchedAt).toISOString() };
  const unfinished = join(folder, `${randomUUID()}.part`);
  try {
    for (const [name, content] of [[pdfName, bytes] as const, [noteName, JSON.stringify(note)] as const]) {
      await writeFile(unfinished, content, { mode: 0o600 });
      await rename(unfinished, join(folder, name));
    }
  } finally {
    await rm(unfinished, { force: true });
  }
  return { path: join(folder, pdfName), etag: etag ?? undefined, fetchedAt };
}

function hashOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
