import * as vscode from 'vscode';
import { l10n } from '../../base/l10n.ts';
import { counted } from '../../base/words.ts';
import { type CitationForm, citation, citationForms, citedReport } from '../../citation/citation.ts';
import { ReportDrops } from './drops.ts';
import { insertIntoNotebook } from './insert.ts';
import { copyLink, openLink } from './links.ts';
import { chosenOrAsked, type DocumentPorts, mustFit } from './ports.ts';
import type { RecentDocuments } from './recentDocuments.ts';

/** The feature, once somebody needs it. */
export function openDocuments(ports: DocumentPorts, recent: RecentDocuments) {
  const drops = new ReportDrops(ports);
  return {
    drops,
    dispose: () => drops.dispose(),
    insertIntoNotebook: (...args: unknown[]) => insertIntoNotebook(ports, recent, args),
    copyCitation: (...args: unknown[]) => copyCitation(ports, args),
    copyLink: (...args: unknown[]) => copyLink(ports, args),
    openLink: (uri: vscode.Uri) => openLink(ports, uri.path),
    async exportReports(...args: unknown[]) {
      const { exportReports } = await import('./exportCommand.ts');
      return exportReports(ports, args);
    },
  };
}

const memoryKey = 'documents.citationForm';

const labels: Readonly<Record<CitationForm, readonly [label: string, description: string]>> = {
  footnote: [vscode.l10n.t('Footnote'), vscode.l10n.t('a plain sentence')],
  bibtex: ['BibTeX', 'LaTeX, BibLaTeX, JabRef'],
  'csl-json': ['CSL-JSON', 'Zotero, pandoc, Quarto'],
  ris: ['RIS', 'EndNote, Mendeley, RefWorks'],
};

/** Copies citations of the chosen reports in the form that the person picks; the one used last is offered first. */
export async function copyCitation(ports: DocumentPorts, args: readonly unknown[]): Promise<void> {
  const chosen = await chosenOrAsked(ports, args, { title: vscode.l10n.t('Copy Citation'), among: {} });
  if (!chosen) return;
  mustFit(chosen);
  const form = await askForForm(ports.memory.get(memoryKey));
  if (!form) return;
  const reports = await ports.readReports(chosen, new AbortController().signal);
  await vscode.env.clipboard.writeText(citation(form, reports.map(citedReport)));
  await ports.memory.update(memoryKey, form);
  const copied = counted(reports.length, l10n.later('Citation copied'), l10n.later('{0} citations copied'));
  vscode.window.setStatusBarMessage(`${copied} (${labels[form][0]})`, 3_000);
}

async function askForForm(last: unknown): Promise<CitationForm | undefined> {
  const picks = citationForms
    .map((form) => ({ label: labels[form][0], description: labels[form][1], form }))
    .sort((a, b) => Number(b.form === last) - Number(a.form === last));
  return (
    await vscode.window.showQuickPick(picks, {
      title: vscode.l10n.t('Copy Citation'),
      placeHolder: vscode.l10n.t('Choose a form'),
    })
  )?.form;
}
