import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { unlessAborted } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { FolderAt } from '../../downloads/lockFile.ts';
import type { Connection, Services } from '../../services.ts';
import { downloadTool } from '../../tools/downloadReports.ts';
import { launcherOf, mcpConfiguration } from '../../tools/launcher.ts';
import { type PointerReason, WindowPointer, writeWhole } from '../../tools/pointer.ts';
import { type ToolThread, toolThread } from '../../tools/toolThread.ts';
import type { Log } from '../common/log.ts';
import { problemText } from '../common/messages.ts';
import { abortable } from '../common/progress.ts';
import { DownloadTool } from './downloadTool.ts';

export interface ToolDoorPorts {
  readonly services: Services;
  readonly log: Log;
  readonly context: Pick<vscode.ExtensionContext, 'extension' | 'extensionPath' | 'globalStorageUri'>;
  /** The downloads folders in the workspace folders of this window; none while the workspace is not trusted. */
  folders(): Promise<readonly FolderAt[]>;
}

/**
 * What the editor does for the tools: it leaves the pointer that both doors read, passes calls of the editor's own door
 * to the thread, and says how the MCP server is started. Of several windows the one that had the focus last, or whose
 * tool is called, points to its library and its folders.
 */
export class ToolDoor implements Disposable {
  readonly #ports: ToolDoorPorts;
  readonly #store = new DisposableStore();
  readonly #folder: string;
  readonly #pointer: string;
  readonly #leading: WindowPointer;
  readonly #thread: ToolThread;
  readonly #download: DownloadTool;
  /** One after the other: the last one holds. */
  #following: Promise<void> = Promise.resolve();
  /** Whose library the pointer leads to, if it is this window's. */
  #led: Connection | undefined;

  constructor(ports: ToolDoorPorts) {
    this.#ports = ports;
    const { context, log } = ports;
    this.#folder = join(context.globalStorageUri.fsPath, 'tools');
    this.#pointer = join(this.#folder, 'pointer.json');
    this.#leading = new WindowPointer(this.#pointer);
    const worker = pathToFileURL(join(context.extensionPath, 'dist', 'tools', 'tools.worker.js'));
    this.#download = new DownloadTool(ports.services, log);
    this.#thread = toolThread({ pointer: this.#pointer, worker, logger: log });
    this.#store.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) void this.follow('used');
      }),
    );
    this.#store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => void this.follow('changed')));
    this.#store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void this.follow('changed')));
  }

  /** Answers a call of the editor's own door, in the words of the other one. */
  invoke(name: string, input: unknown, token: vscode.CancellationToken): Promise<vscode.LanguageModelToolResult> {
    return abortable(token, async (signal) => {
      // A keyring or a disk may let wait for long.
      const following = this.#ports.services.ready().then(() => this.follow('used'));
      await unlessAborted(following, signal);
      const { text } =
        name === downloadTool.name
          ? await this.#download.invoke(input, signal)
          : await this.#thread.call('answer', [name, input], signal);
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    });
  }

  /** What a person is asked before a call; nothing before those that only read. */
  async prepare(name: string, input: unknown, token: vscode.CancellationToken): Promise<vscode.PreparedToolInvocation> {
    if (name !== downloadTool.name) return {};
    const preparing = this.#ports.services.ready().then(() => this.#download.prepare(input));
    return abortable(token, (signal) => unlessAborted(preparing, signal));
  }

  /** How the editor starts the MCP server. It is there also while nobody is signed in, and says so when it is asked. */
  servers(): vscode.McpServerDefinition[] {
    const { script, version } = this.#server;
    // Null takes a variable away: the key of the command line may be in the editor's own environment.
    const env = { ELECTRON_RUN_AS_NODE: '1', REPORT_LIBRARY_API_KEY: null };
    const args = [script, this.#pointer, version];
    return [new vscode.McpStdioServerDefinition('Report Library', process.execPath, args, env, version)];
  }

  /** Copies what other clients are configured with. */
  async copyConfiguration(): Promise<void> {
    const launcher = await this.#writeLauncher();
    await vscode.env.clipboard.writeText(mcpConfiguration(process.platform, launcher));
    // Not waited for: it is answered by closing it.
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        'MCP configuration copied. Paste it into the MCP settings of the agent that you use outside this editor.',
      ),
    );
  }

  /**
   * The connection in use is another one: takes the pointer to the former library away at once, before anybody can be
   * answered from it, and leads to the new one as soon as that is open.
   */
  change(): void {
    const { session } = this.#ports.services;
    try {
      if (session.kind === 'signedOut') this.#leading.clear();
      else if (this.#led !== undefined && !this.#ports.services.isInUse(this.#led)) this.#leading.leave();
    } catch (error) {
      this.#ports.log.warn(`Assistants may still find the former library: ${problemText(error)}`);
    }
    void this.follow(vscode.window.state.focused ? 'used' : 'changed');
  }

  /** Leaves the pointer to what is in use now, or takes it away where nobody is signed in. Failures are logged. */
  follow(why: PointerReason): Promise<void> {
    this.#following = this.#following
      .then(() => this.#point(why))
      .catch((error: unknown) => {
        // Better none than one that leads to what was in use before.
        if (why === 'used') this.#leading.clear();
        else this.#leading.leave();
        throw error;
      })
      .catch((error: unknown) => this.#ports.log.warn(`Assistants may not find the library: ${problemText(error)}`));
    return this.#following;
  }

  dispose(): void {
    this.#store.dispose();
    void this.#thread.dispose();
    // A pointer left behind to this window's demo would lead nowhere.
    if (!this.#led?.isDemo) return;
    try {
      this.#leading.leave();
    } catch (error) {
      this.#ports.log.warn(`The pointer to the demo library was left behind: ${problemText(error)}`);
    }
  }

  async #point(why: PointerReason): Promise<void> {
    const { services, context } = this.#ports;
    // Also while nobody is signed in: other clients start it after an update, and are told so.
    await this.#writeLauncher();
    const { session } = services;
    if (session.kind === 'unknown') return;
    if (session.kind === 'signedOut') return this.#leading.clear();
    const { path, connection } = await services.library();
    const text = join(context.globalStorageUri.fsPath, 'text', 'pages.sqlite');
    const folders = (await this.#ports.folders()).map(({ root, folder }) => ({ root, folder }));
    const pointer = { version: 1 as const, library: path, text, folders };
    // Somebody else may be signed in by now, and is followed next.
    if (!services.isInUse(connection)) return;
    this.#leading.lead(pointer, why);
    this.#led = connection;
  }

  get #server() {
    const { extensionPath, extension } = this.#ports.context;
    return { script: join(extensionPath, 'dist', 'tools', 'mcp.js'), version: String(extension.packageJSON.version) };
  }

  /** Leaves the launcher of this version, unless it is there, and gives its path. */
  async #writeLauncher(): Promise<string> {
    const { platform, execPath } = process;
    const { name, content } = launcherOf({ platform, execPath, pointer: this.#pointer, ...this.#server });
    const path = join(this.#folder, name);
    const held = await readFile(path, 'utf8').catch(() => undefined);
    if (held === content) return path;
    writeWhole(path, content);
    return path;
  }
}
