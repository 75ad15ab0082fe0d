import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import type { App } from '../../app/app.ts';
import type { LocalLibrary } from '../../app/session.ts';
import { isAbortError, unlessAborted } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { l10n } from '../../base/l10n.ts';
import { byteSize, counted, countText, plainText } from '../../base/words.ts';
import type { StoredReport } from '../../library/store.ts';
import type { Spending } from '../../machine/allowance.ts';
import { pagesName } from '../../text/pagesName.ts';
import { DownloadCalls, type DownloadPlan, downloadTool, type WantedReport } from '../../tools/downloadReports.ts';
import { launcherOf, mcpConfiguration } from '../../tools/launcher.ts';
import { type PointerReason, WindowPointer, writeWhole } from '../../tools/pointer.ts';
import { failed, type ToolAnswer } from '../../tools/tool.ts';
import { type ToolThread, toolThread } from '../../tools/toolThread.ts';
import { assistantDownloads } from '../common/assistantDownloads.ts';
import type { Log } from '../common/log.ts';
import { problemText } from '../common/messages.ts';
import { abortable } from '../common/progress.ts';

/**
 * What the editor does for the tools: it leaves the pointer that both doors read, passes calls of the editor's own door
 * to the thread, and says how the MCP server is started. Of several windows the one that had the focus last, or whose
 * tool is called, points to its library and its folders.
 */
export class ToolDoor implements Disposable {
  readonly #app: App;
  readonly #store = new DisposableStore();
  readonly #folder: string;
  readonly #pointer: string;
  readonly #leading: WindowPointer;
  readonly #thread: ToolThread;
  readonly #download: DownloadTool;
  /** One after the other: the last one holds. */
  #following: Promise<void> = Promise.resolve();
  /** Whose library the pointer leads to, if it is this window's. */
  #led: Pick<LocalLibrary, 'connection' | 'signal'> | undefined;

  constructor(app: App) {
    this.#app = app;
    const { extension, log } = app;
    this.#folder = join(extension.globalStorageUri.fsPath, 'tools');
    this.#pointer = join(this.#folder, 'pointer.json');
    this.#leading = new WindowPointer(this.#pointer);
    const worker = pathToFileURL(join(extension.extensionPath, 'dist', 'tools', 'tools.worker.js'));
    this.#download = new DownloadTool(app);
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
      const following = this.#app.services.ready().then(() => this.follow('used'));
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
    const preparing = this.#app.services.ready().then(() => this.#download.prepare(input));
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
    const { session } = this.#app.services;
    try {
      if (session.kind === 'signedOut') this.#leading.clear();
      else if (this.#led?.signal.aborted) this.#leading.leave();
    } catch (error) {
      this.#app.log.warn(`Assistants may still find the former library: ${problemText(error)}`);
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
      .catch((error: unknown) => this.#app.log.warn(`Assistants may not find the library: ${problemText(error)}`));
    return this.#following;
  }

  dispose(): void {
    this.#store.dispose();
    void this.#thread.dispose();
    // A pointer left behind to this window's demo would lead nowhere.
    if (!this.#led?.connection.isDemo) return;
    try {
      this.#leading.leave();
    } catch (error) {
      this.#app.log.warn(`The pointer to the demo library was left behind: ${problemText(error)}`);
    }
  }

  async #point(why: PointerReason): Promise<void> {
    const { services, extension } = this.#app;
    // Also while nobody is signed in: other clients start it after an update, and are told so.
    await this.#writeLauncher();
    const { session } = services;
    if (session.kind === 'unknown') return;
    if (session.kind === 'signedOut') return this.#leading.clear();
    const local = await services.library();
    const text = join(extension.globalStorageUri.fsPath, 'text', pagesName);
    const folders = (await this.#app.downloads.folders()).map(({ root, folder }) => ({ root, folder }));
    const pointer = { version: 1 as const, library: local.path, text, folders };
    // Somebody else may be signed in by now, and is followed next.
    if (local.signal.aborted) return;
    this.#leading.lead(pointer, why);
    this.#led = local;
  }

  get #server() {
    const { extensionPath, extension } = this.#app.extension;
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

/** The only tool that contacts the service: a person confirms it, and caps bind it even where an editor confirms. */
class DownloadTool {
  readonly #calls: DownloadCalls;
  readonly #log: Log;

  constructor({ services, downloads, log }: App) {
    this.#log = log;
    this.#calls = new DownloadCalls({
      allowance: assistantDownloads(log),
      wanted: async (named) => {
        const { library, connection } = await services.library();
        const reports = await Promise.all(named.map(async (each) => wantedOf(await library.report(each))));
        return { connection: connection.id, reports };
      },
      download: async (ids, options) =>
        (await downloads.run(ids, options)) ?? ids.map((report_id) => ({ report_id, status: 'cancelled' })),
    });
  }

  /** What a person is asked before each call. Nothing is asked where the call is going to be refused anyway. */
  async prepare(input: unknown): Promise<vscode.PreparedToolInvocation> {
    const plan = await this.#calls.plan(input);
    if ('text' in plan) return {};
    const invocationMessage = vscode.l10n.t('Downloading {0}', pdfs(plan.reports.length));
    return { invocationMessage, confirmationMessages: confirmation(plan) };
  }

  /** Rejects with the signal's reason once it aborts before anything was asked for. */
  async invoke(input: unknown, signal: AbortSignal): Promise<ToolAnswer> {
    try {
      return await this.#calls.run(input, signal);
    } catch (error) {
      if (isAbortError(error)) throw error;
      this.#log.warn('Reports could not be downloaded for an assistant.');
      return failed(problemText(error));
    }
  }
}

function wantedOf(stored: StoredReport | null): WantedReport | null {
  if (stored?.state !== 'listed') return null;
  const { report_id, report_key, has_file, report_filesize, report_title } = stored.report;
  return { report_id, report_key, title: report_title, has_file, megabytes: report_filesize };
}

const pdfs = (count: number) => counted(count, l10n.later('1 PDF'), l10n.later('{0} PDFs'));

/** What a person is asked. As Markdown, because a dialog shows the backslashes of a plain string. */
export function confirmation(plan: DownloadPlan): { readonly title: string; readonly message: vscode.MarkdownString } {
  const title = vscode.l10n.t('Let the assistant download {0}?', pdfs(plan.reports.length));
  return { title, message: new vscode.MarkdownString(planText(plan)) };
}

/** Reports, size and cost, in plain lines: titles are the service's words and no Markdown. */
function planText({ reports, megabytes, unsized, spending }: DownloadPlan): string {
  const size = byteSize(Math.round(megabytes * 1e6), vscode.env.language);
  const known =
    unsized > 0
      ? vscode.l10n.t('{0}, and {1} of unknown size', size, pdfs(unsized))
      : vscode.l10n.t('{0} in all', size);
  return [
    ...reports.map(({ title, report_key }) => {
      const key = escaped(report_key);
      return title === null ? key : `${escaped(title)} (${key})`;
    }),
    known,
    vscode.l10n.t('Each PDF that isn’t downloaded yet counts against your license.'),
    spendingText(spending),
  ].join('\n\n');
}

/** What assistants have downloaded, of what they may. */
function spendingText({ window, perWindow, day, perDay }: Spending): string {
  return vscode.l10n.t(
    'Assistants have downloaded {0} of {1} in this window and {2} of {3} today.',
    ...[countText(window), countText(perWindow), countText(day), countText(perDay)],
  );
}

/** Every sign of Markdown is escaped, links and entities too; a long title would push the cost out of sight. */
const escaped = (text: string) => plainText(text, 120).replace(/[!-/:-@[-`{-~]/g, '\\$&');
