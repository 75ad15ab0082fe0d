import manifest from '../../../package.json' with { type: 'json' };
import { Emitter } from '../../../src/base/disposable.ts';

/**
 * The little of the editor's API that words and trees need, for code of `src/editor/` that is tested in plain Node: strings are
 * English, as in an editor whose language has no bundle here.
 */
export const l10n = {
  t(message: string, ...args: readonly (string | number | boolean)[]): string {
    return message.replace(/\{(\d+)\}/g, (placeholder, index) => String(args[Number(index)] ?? placeholder));
  },
};

export const env = {
  language: 'en',
  uriScheme: 'vscode',
  openExternal: async () => true,
  clipboard: { writeText: async (_text: string) => {} },
};

/** Made when modules are loaded; nothing asks what is in it. */
export class ThemeColor {}

/** An address made of its parts, as far as panels have any. */
export const Uri = {
  parse: (text: string) => ({ toString: () => text }),
  file: (fsPath: string) => ({ scheme: 'file', fsPath }),
  from: ({ scheme, path }: { readonly scheme: string; readonly path: string }) => ({ scheme, authority: '', path }),
  joinPath: ({ scheme, fsPath }: { readonly scheme: string; readonly fsPath: string }, ...parts: string[]) => {
    return { scheme, fsPath: [fsPath, ...parts].join('/') };
  },
};

/** Nothing of it ever happens. */
const never = () => ({ dispose() {} });

/** A person who closes every message, and cancels whatever can be. */
export const window = {
  setStatusBarMessage: never,
  state: { focused: true },
  tabGroups: { all: [], activeTabGroup: { tabs: [] } },
  onDidChangeWindowState: never,
  showInformationMessage: async () => undefined,
  showWarningMessage: async () => undefined,
  withProgress: async (_: unknown, work: (progress: unknown, token: unknown) => Promise<unknown>) => {
    const onCancellationRequested = (cancel: () => void) => {
      setImmediate(cancel);
      return { dispose() {} };
    };
    return work({ report() {} }, { onCancellationRequested });
  },
};

const { properties } = manifest.contributes.configuration as {
  readonly properties: Record<string, { readonly default?: unknown }>;
};

/** A window without a folder and with the settings as they come. */
export const workspace = {
  workspaceFolders: undefined,
  isTrusted: true,
  onDidChangeWorkspaceFolders: never,
  onDidGrantWorkspaceTrust: never,
  onDidChangeConfiguration: never,
  onDidCloseTextDocument: never,
  registerTextDocumentContentProvider: never,
  createFileSystemWatcher: () => ({ onDidCreate: never, onDidChange: never, onDidDelete: never, dispose() {} }),
  asRelativePath: ({ fsPath }: { readonly fsPath: string }) => fsPath,
  getConfiguration: () => ({
    get: (key: string) => properties[key]?.default,
    inspect: (key: string) => ({ defaultValue: properties[key]?.default }),
  }),
};

/** Cancels it, and tells the listeners. */
export class CancellationTokenSource {
  readonly #cancelled = new Emitter<void>();
  readonly token = { onCancellationRequested: this.#cancelled.event };

  cancel(): void {
    this.#cancelled.fire();
  }

  dispose(): void {
    this.#cancelled.dispose();
  }
}

export const authentication = { registerAuthenticationProvider: never };

export const Disposable = { from: never };

/** What a tab shows. */
export class TabInputText {}
export class TabInputNotebook {}

export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 };

export const ViewColumn = { Active: -1 };

export const QuickInputButtons = { Back: {} };

export const QuickPickItemKind = { Separator: -1 };

export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 };

export const FilePermission = { Readonly: 1 };

export const ProgressLocation = { Notification: 15 };

/** Nobody installed anything. */
export const extensions = { all: [] };

/** From where to where in a text. */
export class Range {
  readonly start: unknown;
  readonly end: unknown;

  constructor(start: unknown, end: unknown) {
    this.start = start;
    this.end = end;
  }
}

/** What is put where in a text. */
export const TextEdit = {
  insert: (position: unknown, newText: string) => ({ position, newText }),
  replace: (range: Range, newText: string) => ({ range, newText }),
};

/** The changes of documents, as they were set. */
export class WorkspaceEdit {
  readonly changes: (readonly [document: unknown, edits: readonly unknown[]])[] = [];

  set(document: unknown, edits: readonly unknown[]): void {
    this.changes.push([document, edits]);
  }
}

/** Nothing is provided for. */
export const languages = {};

export const commands = { executeCommand: async () => undefined };

/** Enough of an emitter for what trees tell. */
export class EventEmitter<T> {
  readonly #emitter = new Emitter<T>();
  readonly event = this.#emitter.event;

  fire(value: T): void {
    this.#emitter.fire(value);
  }

  dispose(): void {
    this.#emitter.dispose();
  }
}

export class ThemeIcon {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

/** As much of a row of a tree as is set by hand. */
export class TreeItem {
  readonly label: string;

  constructor(label: string) {
    this.label = label;
  }
}

/** Markdown as it was given. */
export class MarkdownString {
  value: string;

  constructor(value = '') {
    this.value = value;
  }

  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }

  appendText(text: string): this {
    return this.appendMarkdown(text);
  }
}

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
