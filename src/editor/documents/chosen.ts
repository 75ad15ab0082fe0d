import * as vscode from 'vscode';
import type { ReportQuery } from '../../library/reportQuery.ts';
import { askForReports } from '../common/chooseReports.ts';
import type { ChosenReports, DocumentPorts } from './ports.ts';

/** Most reports that go into one document: what is longer is a table, and Export Reports… makes tables. */
export const mostInserted = 500;

/** What a person is asked when a command is about no report yet. */
export interface ReportQuestion {
  readonly title: string;
  readonly among: ReportQuery;
}

/**
 * The reports that a command is about: its arguments', else those selected in a tree, else those that the person ticks.
 * Undefined when they leave.
 * @throws Error when there are none in what a program, or a row, handed over
 */
export async function chosenOrAsked(
  ports: DocumentPorts,
  args: readonly unknown[],
  question: ReportQuestion,
): Promise<ChosenReports | undefined> {
  const isGiven = args.length > 0 && args[0] !== undefined;
  const chosen = await ports.chosenReports(isGiven ? args : [ports.treeDrag.selection]);
  if (chosen.ids.length > 0) return chosen;
  if (isGiven) throw new Error(vscode.l10n.t('There is no report here any more.'));
  const ids = await askForReports(ports.services, question, ports.log);
  return ids && ports.chosenReports([ids]);
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
