import type * as vscode from 'vscode';
import { copyCitation } from './copyCitation.ts';
import { copyLink } from './copyLink.ts';
import { ReportDrops } from './drops.ts';
import { insertIntoNotebook } from './insert.ts';
import { openLink } from './openLink.ts';
import type { DocumentPorts } from './ports.ts';

/** The feature, once somebody needs it. */
export function openDocuments(ports: DocumentPorts) {
  const drops = new ReportDrops(ports);
  return {
    drops,
    dispose: () => drops.dispose(),
    insertIntoNotebook: (...args: unknown[]) => insertIntoNotebook(ports, args),
    copyCitation: (...args: unknown[]) => copyCitation(ports, args),
    copyLink: (...args: unknown[]) => copyLink(ports, args),
    openLink: (uri: vscode.Uri) => openLink(ports, uri.path),
    async exportReports(...args: unknown[]) {
      const { exportReports } = await import('./exportCommand.ts');
      return exportReports(ports, args);
    },
  };
}
