import * as vscode from 'vscode';
import { l10n } from '../../base/l10n.ts';
import { counted } from '../../base/words.ts';
import { mergeEvidence, noEvidence } from '../../evidence/record.ts';
import type { Log } from '../common/log.ts';
import { notificationText, showProblem } from '../common/messages.ts';
import { changeEvidence, type KeptRecord, removeRecords } from './evidenceFiles.ts';

/**
 * Takes quotes out of their files, and says how to get them back. What was inserted into documents stays there.
 * @throws EvidenceProblem or DiskProblem
 */
export async function removeQuotes(quotes: readonly KeptRecord[], log: Log): Promise<void> {
  if (quotes.length === 0) throw new Error(vscode.l10n.t('Choose a quote in the Evidence view to remove.'));
  const byRoot = [...Map.groupBy(quotes, ({ root }) => root)].map(
    ([root, kept]) => [root, kept.map(({ record }) => record)] as const,
  );
  for (const [root, records] of byRoot)
    await removeRecords(
      root,
      records.map(({ id }) => id),
    );
  const done = counted(
    quotes.length,
    l10n.later('1 quote removed from the evidence file. Its text stays in your documents.'),
    l10n.later('{0} quotes removed from the evidence file. Their text stays in your documents.'),
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
