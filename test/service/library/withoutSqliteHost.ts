import * as vscode from 'vscode';
import { Services } from '../../../src/app/session.ts';
import { Emitter } from '../../../src/base/disposable.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import type { PendingBatches } from '../../../src/downloads/pendingBatches.ts';
import { downloadOne } from '../../../src/editor/downloads/downloadCommand.ts';
import { WorkspaceDownloads, type WorkspaceOptions } from '../../../src/editor/downloads/workspaceDownloads.ts';
import { ReportPanel } from '../../../src/editor/panels/reportPanel.ts';
import { resolveTexts } from '../../../src/editor/resolve/ask.ts';
import type { Connections } from '../../../src/editor/signin/connections.ts';
import { clientMaker } from '../../../src/editor/signin/editorClient.ts';
import { signIn } from '../../../src/editor/signin/signIn.ts';
import { noFavorites } from '../../../src/favorites/favorites.ts';
import { openLibrary } from '../../../src/library/library.ts';
import { blocksText } from '../../../src/panels/asText.ts';
import type { Block } from '../../../src/protocol/blocks.ts';
import { openPanel } from '../../support/panels/openPanel.ts';

// A window of the editor, reduced to what works without a library: signs in, resolves, opens a report, downloads its PDF.
// Tells the process that began it what came of each.
const [baseUrl = '', key = '', folder = ''] = process.argv.slice(2);

/** A person who types the address and the key. */
const typed = [baseUrl, key];
function createInputBox() {
  const accepted = new Emitter<void>();
  const never = () => ({ dispose() {} });
  const box = { onDidChangeValue: never, onDidTriggerButton: never, onDidHide: never, onDidAccept: accepted.event };
  const show = () => {
    Object.assign(shown, { value: typed.shift() });
    accepted.fire();
  };
  const shown = { ...box, value: '', show, dispose() {} };
  return shown;
}
Object.assign(vscode.window, { createInputBox });

const log = Object.assign({ hide() {} }, silentLogger);
const clients = clientMaker({ version: '0', log });
const told: (string | null | undefined)[] = [];
const services = new Services({
  logger: log,
  loadConnection: async () => null,
  createClient: async (connection) => clients.create(connection),
  async openLibrary(connection) {
    const path = `${folder}/library.sqlite`;
    const worker = new URL('../../../src/library/worker.ts', import.meta.url);
    const library = openLibrary({ path, worker });
    library.onDidOpen(({ notice }) => told.push(notice));
    const engine = {} as never;
    return { connection, path, library, engine, dispose: () => library.dispose() };
  },
});

async function signedIn(): Promise<string> {
  const context = { services, connections: { list: async () => [] }, log, createClient: clients.create };
  const add = async (connection: Parameters<Connections['add']>[0]) => {
    services.connect({ ...connection, isDemo: false });
    return { kept: true };
  };
  await services.ready();
  await signIn({ context, add } as unknown as Connections);
  return services.session.kind;
}

async function resolved(): Promise<unknown> {
  const { entries } = await resolveTexts(services, ['XTST:ALFA']);
  return entries.map(({ result }) => result?.company?.company_key);
}

/** Opens report 1 in its panel; what the page is told. */
async function opened(): Promise<unknown> {
  const { panel, say, last, told: page } = openPanel();
  const ports = {
    services,
    log,
    favorites: { read: async () => noFavorites },
    localReport: async () => ({ withdrawn: false, file: null }),
  };
  new ReportPanel(panel, ports as unknown as ConstructorParameters<typeof ReportPanel>[1], 1);
  say({ kind: 'event', name: 'ready', data: null });
  while (page.length === 0) await new Promise<void>((resolve) => setImmediate(resolve));
  const { blocks } = (last('show') ?? {}) as { blocks?: readonly Block[] };
  return blocks ? blocksText(blocks) : JSON.stringify(last('problem'));
}

async function downloaded(): Promise<unknown> {
  const options = {
    services,
    log,
    state: { get: () => undefined, update: async () => {} },
    globalFolder: vscode.Uri.file(folder),
    upstream: async () => new Map(),
  };
  const pending = { begin: async () => async () => {} };
  const downloads = new WorkspaceDownloads(
    options as unknown as WorkspaceOptions,
    pending as unknown as PendingBatches,
  );
  const report = await services.call((client) => client.report(1));
  return downloadOne(downloads, report, () => {}, new AbortController().signal);
}

/** What came of it; one that fails keeps none of the others back. */
const outcomeOf = (work: () => Promise<unknown>) => work().catch((error: unknown) => String(error));
const outcome = {
  signedIn: await outcomeOf(signedIn),
  resolved: await outcomeOf(resolved),
  opened: await outcomeOf(opened),
  downloaded: await outcomeOf(downloaded),
  told,
};
process.send?.(outcome, () => process.exit());
