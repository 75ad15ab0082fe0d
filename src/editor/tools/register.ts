import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { once } from '../../base/once.ts';
import { registerCommand } from '../common/commands.ts';
import type { ToolDoor, ToolDoorPorts } from './door.ts';

/** The tools for assistants, in the editor and over MCP. The manifest offers both; their code loads with a call. */
export function registerTools(ports: ToolDoorPorts): Disposable {
  const { context, services, log } = ports;
  const store = new DisposableStore();
  let opened: ToolDoor | undefined;
  const door = once(async () => {
    opened = store.add(new (await import('./door.ts')).ToolDoor(ports));
    return opened;
  });
  const { lm } = vscode;
  const named: readonly { readonly name: string }[] = context.extension.packageJSON.contributes.languageModelTools;
  // Some editors that are built from the same source leave these out.
  for (const { name } of typeof lm.registerTool === 'function' ? named : []) {
    store.add(
      lm.registerTool(name, {
        prepareInvocation: async ({ input }, token) => (await door.get()).prepare(name, input, token),
        invoke: async ({ input }, token) => (await door.get()).invoke(name, input, token),
      }),
    );
  }
  if (typeof lm.registerMcpServerDefinitionProvider === 'function') {
    const provideMcpServerDefinitions = async () => (await door.get()).servers();
    store.add(lm.registerMcpServerDefinitionProvider('reportLibrary', { provideMcpServerDefinitions }));
  }
  store.add(registerCommand('copyMcpConfiguration', log, async () => (await door.get()).copyConfiguration()));
  store.add(
    services.onDidChangeSession(() => {
      // A pointer to the former library goes before anybody is told anything else.
      if (opened) return opened.change();
      door.get().then(
        (made) => made.change(),
        (error: unknown) => log.warn(`The tools for assistants could not be loaded: ${error}`),
      );
    }),
  );
  return store;
}
