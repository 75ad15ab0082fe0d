import * as vscode from 'vscode';
import type { Disposable, Event } from '../../base/disposable.ts';
import { once } from '../../base/once.ts';
import type { PlacedText } from '../../base/placedText.ts';
import type { CopiedTable, Passage } from '../../protocol/pdfPreview.ts';
import { registerCommands, setContextKey } from '../common/commands.ts';
import { evidenceCommands, viewIds } from '../common/contributions.ts';
import { registerTree } from '../common/lazyTree.ts';
import type { Log } from '../common/log.ts';
import { showProblem } from '../common/messages.ts';
import { quotesMime, type TreeDragController } from '../common/treeDrag.ts';
import type { OpenedEvidence } from './commands.ts';
import type { EvidencePorts } from './ports.ts';
import type { EvidenceNode, EvidenceTree } from './tree.ts';

/** What other features may ask of quotes. */
interface EvidenceApi extends Disposable {
  /** Quotes what is selected in a PDF; gives what was done, in words. */
  quote(file: vscode.Uri, passage: Passage, mayPick: boolean): Promise<string | null>;
  /** The same with a table. */
  table(file: vscode.Uri, table: CopiedTable, mayPick: boolean): Promise<string | null>;
  /** The text of a page of a file, from 1; null where it can't be read. */
  placedText(path: string, page: number, signal: AbortSignal): Promise<PlacedText | null>;
}

/** Whether this workspace had quotes when somebody last looked: then their view is there from the start. */
const keptHint = 'reportLibrary.evidence.kept';

const languages = ['markdown', 'python', 'r', 'quarto', 'rmd', 'plaintext'];

/** Quotes with evidence: their commands, marks and hovers. The code is loaded on first use. */
export function registerEvidence(
  ports: () => Promise<EvidencePorts>,
  onDidChangePdfs: Event<readonly number[]>,
  treeDrag: TreeDragController,
  log: Log,
  state: vscode.Memento,
): EvidenceApi {
  if (state.get(keptHint)) void setContextKey('reportLibrary.evidence', true);
  const noteKept = async (isKept: boolean) => {
    if (state.get(keptHint, false) !== isKept) await state.update(keptHint, isKept);
  };
  const { store, view } = registerTree<EvidenceNode, EvidenceTree>(
    viewIds.evidence,
    treeDrag,
    {},
    async (): Promise<EvidenceTree> => (await opened.get()).tree,
  );
  const opened: { get(): Promise<OpenedEvidence> } = once(async () =>
    store.add((await import('./commands.ts')).openEvidenceFeature(await ports(), view, treeDrag, noteKept)),
  );
  store.add(registerCommands(evidenceCommands, log, () => opened.get()));
  store.add(
    vscode.languages.registerHoverProvider(languages, {
      provideHover: async (document, ...at) => (await opened.get()).marks.provideHover(document, ...at),
    }),
  );
  store.add(
    vscode.languages.registerDocumentDropEditProvider(
      [...languages, { notebookType: '*' }],
      {
        provideDocumentDropEdits: async (document, position, transfer, token) =>
          (await opened.get()).drop(document, position, transfer, token),
      },
      { dropMimeTypes: [quotesMime] },
    ),
  );
  store.add(
    onDidChangePdfs((ids) => {
      const check = async () => (await (await ports()).hasEvidence()) && (await opened.get()).checkAfter(ids);
      check().catch((error: unknown) => showProblem(error, log));
    }),
  );
  return {
    quote: async (...given) => (await opened.get()).quote(...given),
    table: async (...given) => (await opened.get()).table(...given),
    placedText: async (path, ...asked) => (await ports()).placedText({ path }, ...asked),
    dispose: () => store.dispose(),
  };
}
