import * as vscode from 'vscode';
import type { App } from '../../app/app.ts';
import { countText } from '../../base/words.ts';
import { type CitationForm, citation, citedReport } from '../../citation/citation.ts';
import type { InsertionKind } from '../common/insertion.ts';
import { pickForm } from '../common/pickWhileTyping.ts';
import { ReportDrops } from './drops.ts';
import { insertIntoNotebook, targetName } from './insert.ts';
import { insertionPlace, placeAt } from './insertionPlace.ts';
import { copyLink, openDocumentLink } from './links.ts';
import type { RecentDocuments } from './recentDocuments.ts';
import { chosenOrAsked, readChosen } from './reports.ts';

export function openDocuments(app: App, recent: RecentDocuments) {
  const drops = new ReportDrops(app);
  const insert = (...args: unknown[]) => insertIntoNotebook(app, recent, args);
  return {
    drops,
    dispose: () => drops.dispose(),
    insertIntoNotebook: insert,
    // The Explorer's menu has it under a name of its own: there no key inserts.
    insertPdf: insert,
    insertionPlace: (kind: InsertionKind) => insertionPlace(app, recent, kind),
    targetName: () => targetName(recent),
    placeAt,
    copyCitation: (...args: unknown[]) => copyCitation(app, args),
    copyLink: (...args: unknown[]) => copyLink(app, args),
    openLink: ({ path, fragment }: vscode.Uri) => openDocumentLink(app, path, fragment),
    async exportReports(...args: unknown[]) {
      const { exportReports } = await import('./exports.ts');
      return exportReports(app, recent, args);
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
export async function copyCitation(app: App, args: readonly unknown[]): Promise<void> {
  const title = vscode.l10n.t('Copy Citation');
  const chosen = await chosenOrAsked(app, args, { title, among: {} });
  if (!chosen) return;
  const placeHolder = vscode.l10n.t('Choose a form');
  const picked = await pickForm(forms, app.extension.globalState.get(memoryKey), { title, placeHolder });
  if (!picked) return;
  const reports = await readChosen(app, chosen);
  await vscode.env.clipboard.writeText(citation(picked.form, reports.map(citedReport)));
  await app.extension.globalState.update(memoryKey, picked.form);
  const copied = vscode.l10n.t('Citations copied: {0}', countText(reports.length));
  vscode.window.setStatusBarMessage(`${copied} (${picked.label})`, 3_000);
}
