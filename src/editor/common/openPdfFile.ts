import * as vscode from 'vscode';
import { isRecord } from './arguments.ts';
import { pdfPreviewType } from './contributions.ts';

const ownId = 'report-library.report-library';

/** Opens a PDF in the person's own PDF editor if one is installed, else in our read-only preview. */
export async function openPdfFile(file: vscode.Uri): Promise<void> {
  const choice = usualPdfEditor();
  if (choice.kind === 'usual') await vscode.commands.executeCommand('vscode.open', file);
  else await vscode.commands.executeCommand('vscode.openWith', file, choice.viewType);
}

/** The editor in which this window opens PDFs. */
export function usualPdfEditor(): PdfEditor {
  const associations = vscode.workspace.getConfiguration('workbench').get('editorAssociations');
  return pdfEditor(vscode.extensions.all, associations, { id: ownId, viewType: pdfPreviewType });
}

/** As much of another extension's manifest as is needed here. All of it is that extension's word. */
interface EditorContributor {
  readonly id: string;
  readonly packageJSON: unknown;
}

/** Which editor a PDF opens in: the one the editor would choose itself, or the one of this name. */
type PdfEditor = { readonly kind: 'usual' } | { readonly kind: 'named'; readonly viewType: string };

/**
 * The editor that a person wants for PDFs: their own choice in `workbench.editorAssociations`, else a PDF editor that
 * they installed, else ours; our own entry there is of the downloads folder alone. Editors that take any file, such as
 * hex editors, are no PDF editors.
 */
export function pdfEditor(
  extensions: readonly EditorContributor[],
  associations: unknown,
  own: { readonly id: string; readonly viewType: string },
): PdfEditor {
  const chosen = isRecord(associations) ? Object.entries(associations) : [];
  if (chosen.some(([pattern, viewType]) => isForPdf(pattern) && viewType !== own.viewType)) return { kind: 'usual' };
  let offered: string | undefined;
  for (const { id, packageJSON } of extensions) {
    if (id.toLowerCase() === own.id) continue;
    for (const { viewType, priority } of pdfEditorsOf(packageJSON)) {
      if (priority !== 'option') return { kind: 'usual' };
      offered ??= viewType;
    }
  }
  return { kind: 'named', viewType: offered ?? own.viewType };
}

function pdfEditorsOf(manifest: unknown): { viewType: string; priority: unknown }[] {
  const contributes = member(manifest, 'contributes');
  const editors = member(contributes, 'customEditors');
  if (!Array.isArray(editors)) return [];
  return editors.flatMap((editor: unknown) => {
    const viewType = member(editor, 'viewType');
    const selector = member(editor, 'selector');
    const patterns = Array.isArray(selector) ? selector.map((one: unknown) => member(one, 'filenamePattern')) : [];
    const fits = patterns.some((pattern) => typeof pattern === 'string' && isForPdf(pattern));
    return fits && typeof viewType === 'string' ? [{ viewType, priority: member(editor, 'priority') }] : [];
  });
}

/** True for a file pattern that names PDFs: `*.pdf`, `*.{pdf,ps}`, `*.[pP][dD][fF]`. */
function isForPdf(pattern: string): boolean {
  const plain = pattern.replace(/\[([a-z])\1\]/gi, '$1').toLowerCase();
  return /\.(?:pdf$|\{(?:[^}]*,)?pdf[,}])/.test(plain);
}

function member(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}
