import type * as vscode from 'vscode';
import { silentLogger } from '../../../../src/base/logger.ts';
import type { PendingBatches } from '../../../../src/downloads/pendingBatches.ts';
import type { Upstream } from '../../../../src/downloads/ports.ts';
import { WorkspaceDownloads, type WorkspaceOptions } from '../../../../src/editor/downloads/workspaceDownloads.ts';

/** What a window without an open folder gives its downloads. @param connections of the batches that begin */
export function windowAt(
  path: string,
  services: unknown,
  { upstream, connections = [] }: { readonly upstream?: Upstream | undefined; readonly connections?: string[] } = {},
) {
  const options = {
    services,
    state: { get: () => undefined, update: async () => {} },
    log: silentLogger,
    globalFolder: { scheme: 'file', fsPath: path } as vscode.Uri,
    machine: path,
    upstream: async () => new Map(upstream && [[1, upstream]]),
  } as unknown as WorkspaceOptions;
  const begin = async ({ connection }: { readonly connection: string }) => {
    connections.push(connection);
    return async () => {};
  };
  return { ...options, downloads: new WorkspaceDownloads(options, { begin } as unknown as PendingBatches) };
}

/** The downloads of a window whose every call goes to this client. */
export const downloadsIn = (path: string, client: unknown, services: object = { session: {} }): WorkspaceDownloads =>
  windowAt(path, { ...services, call: (work: (given: unknown) => unknown) => work(client) }).downloads;
