import * as vscode from 'vscode';
import { type Disposable, DisposableStore, Emitter, type Event } from '../../base/disposable.ts';
import { oneLine } from '../../base/words.ts';
import { panelViewTypes } from '../common/contributions.ts';
import { plainError } from '../common/messages.ts';
import {
  type NamedKey,
  type PanelKey,
  type PanelKind,
  panelKey,
  panelOf,
  panelPath,
  panelUri,
  reportName,
} from '../common/panelUri.ts';
import type { PanelPorts } from './context.ts';
import type { NamedText, OpenPanel, PanelInput, PanelInputs } from './panel.ts';
import { fillPage, type PageType } from './panelPage.ts';

type KeyOf<Kind extends PanelKind> = Extract<PanelKey, { readonly kind: Kind }>;
type InputOf<Kind extends PanelKind> = Kind extends keyof PanelInputs ? PanelInputs[Kind] : undefined;

/** What an editor of a panel's address opens: shared by the panels that show it side by side. */
export interface PanelDocument<Kind extends PanelKind = PanelKind> extends vscode.CustomDocument {
  readonly key: KeyOf<Kind>;
  /** What the address can't carry; undefined after a reload of the window. */
  input: InputOf<Kind> | undefined;
  /** The panel was opened again with other input, or one of its editors has other content for all of them. */
  readonly onDidTakeInput: Event<void>;
  takeInput(input: InputOf<Kind>): void;
}

interface PanelType<Kind extends PanelKind> extends PageType {
  /** Starts the conversation with a new page. Its disposables go to the panel's store. */
  connect(panel: OpenPanel, document: PanelDocument<Kind>): unknown;
}

type PanelTypes = { readonly [Kind in PanelKind]: PanelType<Kind> };

/** The read-only editors of panels: opening, filling, splitting. The editor itself restores and reopens them. */
export class PanelEditors implements Disposable {
  readonly #ports: PanelPorts;
  readonly #types: PanelTypes;
  readonly #store = new DisposableStore();
  readonly #texts = this.#store.add(new TextDocuments());
  /** By address. */
  readonly #opened = new Map<string, PanelDocument>();
  /** What panels are being opened with, by address: a document whose tab is closing never shows it. */
  readonly #wanted = new Map<string, PanelDocument['input']>();

  constructor(ports: PanelPorts, types: PanelTypes) {
    this.#ports = ports;
    this.#types = types;
  }

  async open<Key extends PanelKey>(
    key: Key,
    input?: PanelInput<Key>,
    options: vscode.TextDocumentShowOptions = {},
  ): Promise<void> {
    const open = openTab(key);
    const uri = open?.uri ?? panelUri(key, await this.#nameOf(key));
    const address = uri.toString();
    if (input !== undefined) {
      this.#wanted.set(address, input);
      this.#openedOf(uri, key).takeInput(input);
    }
    const shown = { viewColumn: open?.viewColumn, preview: false, ...options };
    try {
      await vscode.commands.executeCommand('vscode.openWith', uri, panelViewTypes[key.kind], shown);
    } finally {
      if (this.#wanted.get(address) === input) this.#wanted.delete(address);
    }
  }

  isOpen(key: PanelKey): boolean {
    return openTab(key) !== undefined;
  }

  async #nameOf(key: PanelKey): Promise<string> {
    if (key.kind === 'company') return (await this.#knownName(key)) ?? key.companyKey;
    if (key.kind === 'report') return (await this.#knownName(key)) ?? String(key.reportId);
    return key.kind === 'results' && key.subject === 'reports'
      ? vscode.l10n.t('Report Keys')
      : this.#types[key.kind].title;
  }

  /** What a report or company is called, if it is known on this machine. */
  async #knownName(key: NamedKey): Promise<string | undefined> {
    try {
      const { library } = await this.#ports.services.library();
      if (key.kind === 'company') return (await library.company(key.companyKey))?.company_name ?? undefined;
      const [report] = await library.summaries([key.reportId]);
      return report && reportName(report);
    } catch (error) {
      // A panel opens without a library too, and says itself what is wrong.
      this.#ports.log.debug(`The name of what a panel shows is not known: ${String(error)}`);
      return undefined;
    }
  }

  /** @throws Error for any other address than a panel's of this kind, such as a workspace file of that name */
  openDocument(kind: PanelKind, uri: vscode.Uri): PanelDocument {
    const key = panelKey(uri);
    if (key?.kind !== kind) throw new Error(vscode.l10n.t('Report Library can’t open this page.'));
    return this.#openedOf(uri, key);
  }

  #openedOf(uri: vscode.Uri, key: PanelKey): PanelDocument {
    const address = uri.toString();
    const known = this.#opened.get(address);
    if (known) return known;
    const taken = new Emitter<void>();
    const dispose = () => this.#opened.delete(address);
    const takeInput = (input: PanelDocument['input']) => {
      document.input = input;
      taken.fire();
    };
    const input = this.#wanted.get(address);
    const document: PanelDocument = { uri, key, input, onDidTakeInput: taken.event, takeInput, dispose };
    this.#opened.set(address, document);
    return document;
  }

  /** Fills an editor that opens, is split off or comes back with its window. */
  fill(document: PanelDocument, panel: vscode.WebviewPanel): void {
    const { log, onDidChange } = this.#ports;
    const type = this.#types[document.key.kind] as PanelType<PanelKind>;
    const { extensionUri } = this.#ports.extension;
    fillPage(panel, type, { extensionUri, log }, (page) => {
      type.connect(
        {
          ...page,
          log,
          onDidChange,
          explain: (error) => plainError(error).message,
          open: (key, input, how) => this.open(key, input, how),
          showText: (name, content) => this.#texts.show(name, content),
          diffTexts: (left, right, title) => this.#texts.diff(left, right, title),
          copy,
        },
        document,
      );
    });
  }

  dispose(): void {
    this.#store.dispose();
  }
}

/** The tab of a panel: of the active group if it is there, else of another. */
function openTab(key: PanelKey): { readonly uri: vscode.Uri; readonly viewColumn: vscode.ViewColumn } | undefined {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  for (const { tabs, viewColumn } of [activeTabGroup, ...all]) {
    for (const tab of tabs) {
      const other = panelOf(tab);
      if (other && panelPath(other) === panelPath(key))
        return { uri: (tab.input as vscode.TabInputCustom).uri, viewColumn };
    }
  }
  return undefined;
}

async function copy(text: string | null | undefined): Promise<void> {
  if (text === null || text === undefined) throw new Error(vscode.l10n.t('There is nothing to copy.'));
  await vscode.env.clipboard.writeText(text);
}

const scheme = 'report-library-text';

class TextDocuments implements Disposable {
  readonly #contents = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registrations: vscode.Disposable;

  constructor() {
    this.#registrations = vscode.Disposable.from(
      this.#changed,
      vscode.workspace.registerTextDocumentContentProvider(scheme, {
        onDidChange: this.#changed.event,
        provideTextDocumentContent: (uri) =>
          this.#contents.get(uri.toString()) ?? vscode.l10n.t('Reopen this document from its page.\n'),
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#contents.delete(uri.toString())),
    );
  }

  /** Opens a document; the same name shows the same document anew. */
  async show(name: string, content: string): Promise<void> {
    const uri = this.#put({ name: name.replaceAll('/', '-'), content });
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  /** Shows two documents in the editor's own diff. A slash in a name makes a folder. */
  async diff(left: NamedText, right: NamedText, title: string): Promise<void> {
    await vscode.commands.executeCommand('vscode.diff', this.#put(left), this.#put(right), title);
  }

  #put({ name, content }: NamedText): vscode.Uri {
    const uri = vscode.Uri.from({ scheme, path: `/${oneLine(name, 100)}` });
    this.#contents.set(uri.toString(), content);
    this.#changed.fire(uri);
    return uri;
  }

  dispose(): void {
    this.#registrations.dispose();
    this.#contents.clear();
  }
}
