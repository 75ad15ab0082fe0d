import * as vscode from 'vscode';
import { commandIds } from '../common/contributions.ts';
import { showProblem } from '../common/messages.ts';
import { linkTarget } from './linkTarget.ts';
import type { DocumentPorts } from './ports.ts';

/**
 * Shows what a link names, from the library on this machine, and does nothing else: anybody may have written it. It
 * signs nobody in, asks the service nothing, downloads nothing, and takes no parameter.
 */
export async function openLink(
  { services, log }: Pick<DocumentPorts, 'services' | 'log'>,
  path: string,
): Promise<void> {
  try {
    const target = linkTarget(path);
    if (!target) return tell(vscode.l10n.t('This link names no report or company.'));
    if (!('connection' in (await services.ready()))) {
      return tell(vscode.l10n.t('This link leads into Report Library. Sign in there first, then open the link again.'));
    }
    const { library } = await services.library();
    if (target.kind === 'report') {
      const stored = await library.report(target.idOrKey);
      if (!stored)
        return tell(vscode.l10n.t('The report of this link is not in your library. It may be outside your licence.'));
      await vscode.commands.executeCommand(commandIds.openReport, stored.report.report_id);
      return;
    }
    const company = await library.company(target.key);
    if (!company)
      return tell(vscode.l10n.t('The company of this link is not in your library. It may be outside your licence.'));
    await vscode.commands.executeCommand(commandIds.openCompany, company.company_key);
  } catch (error) {
    showProblem(error, log);
  }
}

function tell(message: string): void {
  void vscode.window.showInformationMessage(message);
}
