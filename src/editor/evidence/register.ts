import * as vscode from 'vscode';
import { type Disposable, DisposableStore, type Event } from '../../base/disposable.ts';
import { once } from '../../base/once.ts';
import type { Passage } from '../../protocol/pdfPreview.ts';
import { registerCommands } from '../common/commands.ts';
import type { Log } from '../common/log.ts';
import { showProblem } from '../common/messages.ts';
import type { EvidencePorts } from './ports.ts';

/** What other features may ask of quotes. */
export interface EvidenceApi extends Disposable {
  /** Quotes what is selected in a PDF; gives what was done, in words. */
  quote(file: vscode.Uri, passage: Passage, mayPick: boolean): Promise<string | null>;
}

const languages = ['markdown', 'python', 'r', 'julia', 'quarto', 'rmd', 'plaintext'];

/** Quotes with evidence: their commands, marks and hovers. The code is loaded on first use. */
export function registerEvidence(
  ports: () => Promise<EvidencePorts>,
  onDidChangePdfs: Event<readonly number[]>,
  log: Log,
): EvidenceApi {
  const store = new DisposableStore();
  const opened = once(async () => store.add((await import('./commands.ts')).openEvidenceFeature(await ports())));
  const feature = () => opened.get();
  store.add(registerCommands(['addQuote', 'openEvidence', 'checkEvidence', 'mergeEvidence'], log, () => feature()));
  store.add(
    vscode.languages.registerHoverProvider(languages, {
      provideHover: async (document, position) => (await feature()).marks.provideHover(document, position),
    }),
  );
  store.add(
    onDidChangePdfs((ids) => {
      feature()
        .then(({ checkAfter }) => checkAfter(ids))
        .catch((error: unknown) => showProblem(error, log));
    }),
  );
  return {
    quote: async (...given) => (await feature()).quote(...given),
    dispose: () => store.dispose(),
  };
}
