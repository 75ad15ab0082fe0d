import * as vscode from 'vscode';
import { countsOf, type EvidenceRecord, mergeEvidence, noEvidence } from '../../evidence/record.ts';
import type { Log } from '../common/log.ts';
import { notificationText, showProblem } from '../common/messages.ts';
import { changeEvidence, type KeptRecord, removeRecords } from './evidenceFiles.ts';
import type { EvidenceRoot } from './ports.ts';

/**
 * Takes quotes out of their files, and says how to get them back. What was inserted into documents stays there.
 * @throws EvidenceProblem or DiskProblem
 */
export async function removeQuotes(quotes: readonly KeptRecord[], log: Log): Promise<void> {
  if (quotes.length === 0) throw new Error(vscode.l10n.t('Choose a quote in the Evidence view to remove.'));
  const byRoot: (readonly [EvidenceRoot, readonly EvidenceRecord[]])[] = [];
  for (const [root, kept] of Map.groupBy(quotes, ({ root }) => root)) {
    const removed = await removeRecords(
      root,
      kept.map(({ record }) => record.id),
    );
    byRoot.push([root, removed]);
  }
  const done = vscode.l10n.t(
    '{0} removed from the evidence file. What was inserted stays in your documents.',
    countsOf(quotes.map(({ record }) => record)),
  );
  const undo = vscode.l10n.t('Undo');
  const offer = async () => {
    if ((await vscode.window.showInformationMessage(notificationText(done), undo)) !== undo) return;
    for (const [root, records] of byRoot)
      await changeEvidence(root, (all) => mergeEvidence(all, { ...noEvidence, records }));
  };
  // The command is done once they are gone.
  offer().catch((error: unknown) => showProblem(error, log));
}
