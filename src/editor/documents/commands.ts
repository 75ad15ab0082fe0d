import * as vscode from 'vscode';
import { countText } from '../../base/words.ts';
import { type CitationForm, citation, citedReport } from '../../citation/citation.ts';
import type { InsertionKind } from '../common/insertion.ts';
import { pickForm } from '../common/pickWhileTyping.ts';
import { ReportDrops } from './drops.ts';
import { insertIntoNotebook } from './insert.ts';
import { insertionPlace, placeAt } from './insertionPlace.ts';
import { copyLink, openDocumentLink } from './links.ts';
import { chosenOrAsked, type DocumentPorts, readChosen } from './ports.ts';
import type { RecentDocuments } from './recentDocuments.ts';

export function openDocuments(ports: DocumentPorts, recent: RecentDocuments) {
  const drops = new ReportDrops(ports);
  return {
    drops,
    dispose: () => drops.dispose(),
    insertIntoNotebook: (...args: unknown[]) => insertIntoNotebook(ports, recent, args),
    insertionPlace: (kind: InsertionKind) => insertionPlace(ports, recent, kind),
    placeAt,
    copyCitation: (...args: unknown[]) => copyCitation(ports, args),
    copyLink: (...args: unknown[]) => copyLink(ports, args),
    openLink: ({ path, fragment }: vscode.Uri) => openDocumentLink(ports, path, fragment),
    async exportReports(...args: unknown[]) {
      const { exportReports } = await import('./exports.ts');
      return exportReports(ports, recent, args);
    },
  };
}

const memoryKey = 'documents.citationForm';

const forms: readonly (vscode.QuickPickItem & { readonly form: CitationForm })[] = [
  { form: 'footnote', label: vscode.l10n.t('Footnote'), description: vscode.l10n.t('a plain sentence') },
  { form: 'bibtex', label: 'BibTeX', description: 'LaTeX, BibLaTeX, JabRef' },
  { form: 'csl-json', label: 'CSL-JSON', description: 'Zotero, pandoc, Quarto' },
  { form: 'ris', label: 'RIS', description: 'EndNote, Mendeley, RefWorks' },
];

/** Copies citations of the chosen reports in the form that the person picks; the one used last is offered first. */
export async function copyCitation(ports: DocumentPorts, args: readonly unknown[]): Promise<void> {
  const title = vscode.l10n.t('Copy Citation');
  const chosen = await chosenOrAsked(ports, args, { title, among: {} });
  if (!chosen) return;
  const placeHolder = vscode.l10n.t('Choose a form');
  const picked = await pickForm(forms, ports.memory.get(memoryKey), { title, placeHolder });
  if (!picked) return;
  const reports = await readChosen(ports, chosen);
  await vscode.env.clipboard.writeText(citation(picked.form, reports.map(citedReport)));
  await ports.memory.update(memoryKey, picked.form);
  const copied = vscode.l10n.t('Citations copied: {0}', countText(reports.length));
  vscode.window.setStatusBarMessage(`${copied} (${picked.label})`, 3_000);
}
