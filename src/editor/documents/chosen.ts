import * as vscode from 'vscode';
import type { ChosenReports, DocumentPorts } from './ports.ts';

/** Most reports that go into one document: what is longer is a table, and Export Reports… makes tables. */
export const mostInserted = 500;

/**
 * The reports that a command is about: its arguments', else those selected in a tree.
 * @throws Error that says what to do when there are none
 */
export async function chosenOrSelected(
  ports: DocumentPorts,
  args: readonly unknown[],
  whatFor: string,
): Promise<ChosenReports> {
  const given = args.length > 0 && args[0] !== undefined ? args : [ports.handover.selection];
  const chosen = await ports.chosenReports(given);
  if (chosen.ids.length === 0)
    throw new Error(vscode.l10n.t('Choose one or more reports in one of the trees first, then {0}.', whatFor));
  return chosen;
}

/** @throws Error when there are more than a document should hold */
export function mustFit({ ids }: ChosenReports): void {
  if (ids.length <= mostInserted) return;
  const counts = vscode.l10n.t(
    '{0} reports are too many for a document; at most {1} fit',
    ids.length.toLocaleString(),
    mostInserted,
  );
  throw new Error(vscode.l10n.t('{0}. Choose fewer, or use Export Reports… for a table.', counts));
}
