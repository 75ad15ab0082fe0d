import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Report } from '../../../../../src/api/schemas/report.ts';
import { Emitter } from '../../../../../src/base/disposable.ts';
import type { ReportsFilter } from '../../../../../src/editor/common/reportsFilter.ts';
import { TablePanel } from '../../../../../src/editor/panels/tablePanel.ts';
import { noFavorites } from '../../../../../src/favorites/favorites.ts';
import type { LibraryCalls } from '../../../../../src/library/library.ts';
import type { TableView } from '../../../../../src/protocol/reportTable.ts';
import { openPanel, settled } from '../../../../support/panels/openPanel.ts';
import { localLibrary } from '../../../library/support/localLibrary.ts';
import { bring, openInMemory } from '../../../library/support/stores.ts';
import { report } from '../../../library/support/wireReports.ts';

export const reports: readonly Report[] = Array.from({ length: 250 }, (_, n) =>
  report(n + 1, {
    ...{ report_fcyear: 2015 + (n % 10), report_type: n % 2 ? 'SR' : 'IR', report_pages: n + 1, has_file: n % 3 !== 0 },
    ...{ report_title: n === 7 ? '=1+1' : `Report ${n}`, standards_gri: [true, false, null][n % 3] ?? null },
  }),
);

type Ports = ConstructorParameters<typeof TablePanel>[1];

/** The table over a small library, and a page that asks it. */
export async function openTable(filter?: ReportsFilter, ports: Partial<Ports> = {}, library = wholeLibrary()) {
  const opened = openPanel();
  const taken = new Emitter<void>();
  const document = { input: filter && { filter }, onDidTakeInput: taken.event };
  const memories = [new Map<string, unknown>(), new Map<string, unknown>()] as const;
  const [workspace, global] = memories.map((memory) => ({
    get: (key: string) => memory.get(key),
    update: async (key: string, value: unknown) => void memory.set(key, value),
  }));
  assert.ok(workspace && global);
  const extension = { workspaceState: workspace, globalState: global } as unknown as Ports['extension'];
  const copied: string[] = [];
  const ran: unknown[] = [];
  Object.assign(vscode.commands, {
    executeCommand: async (command: string, given: unknown, nodes?: readonly { report: { report_id: number } }[]) =>
      void ran.push([command.replace('reportLibrary.', ''), nodes?.map(({ report }) => report.report_id) ?? given]),
  });
  const panel = { ...opened.panel, copy: async (text: string | null | undefined) => void copied.push(text ?? '') };
  new TablePanel(
    panel,
    {
      services: { library: async () => ({ library: { withSignal: () => library } }) },
      sync: { start() {} },
      localFiles: async () => new Map([[reports[0]?.report_id ?? 0, null]]),
      extension,
      favorites: { read: async () => noFavorites },
      ...ports,
    } as unknown as Ports,
    document,
  );
  let id = 0;
  const view = () => opened.last('show') as unknown as TableView;
  return {
    ...opened,
    view,
    copied,
    ran,
    workspace,
    extension,
    /** Asks as the page does, and gives the answer, or the words of a failure. */
    async call(name: string, params: unknown): Promise<unknown> {
      opened.say({ kind: 'call', id: ++id, name, params });
      for (let turn = 0; turn < 40; turn++) await settled();
      const answer = opened.told.find((message) => message.id === id);
      return answer?.kind === 'failure' ? answer.message : answer?.result;
    },
    /** The panel is opened again, for another filter. */
    async openFor(filter: ReportsFilter): Promise<void> {
      document.input = { filter };
      taken.fire();
      for (let turn = 0; turn < 40; turn++) await settled();
    },
    async tell(name: string, data: unknown): Promise<void> {
      opened.say({ kind: 'event', name, data });
      for (let turn = 0; turn < 40; turn++) await settled();
    },
  };
}

export function wholeLibrary(): LibraryCalls {
  const store = openInMemory();
  bring(store, reports);
  return localLibrary(store);
}

/** The small library, whose ids of a range can be made to wait. */
export function heldLibrary() {
  const whole = wholeLibrary();
  let gate: PromiseWithResolvers<void> | undefined;
  const idsBetween: LibraryCalls['idsBetween'] = async (...range) => {
    const waited = gate?.promise;
    const found = await whole.idsBetween(...range);
    await waited;
    return found;
  };
  const library = new Proxy(whole, {
    get: (own, name) => (name === 'idsBetween' ? idsBetween : Reflect.get(own, name)),
  });
  const begin = () => {
    gate = Promise.withResolvers();
  };
  return { library, held: { begin, end: () => gate?.resolve() } };
}
