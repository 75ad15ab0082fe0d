import * as vscode from 'vscode';
import { oneLine } from '../../base/words.ts';
import type { panelViewTypes } from './contributions.ts';

/** Panels are editors of addresses of this scheme; the manifest's selectors name it too. */
const panelScheme = 'report-library';

export type PanelKind = keyof typeof panelViewTypes;

export type PanelKey =
  | { readonly kind: 'report'; readonly reportId: number }
  | { readonly kind: 'company'; readonly companyKey: string }
  /** The same reports in another order are another comparison. */
  | { readonly kind: 'compare'; readonly reportIds: readonly number[] }
  | { readonly kind: 'results'; readonly subject: 'companies' | 'reports' }
  | { readonly kind: 'schema' }
  | { readonly kind: 'coverage' }
  | { readonly kind: 'table' }
  | { readonly kind: 'usage' };

/** Panels of a thing that has a name of its own. */
export type NamedKey = Extract<PanelKey, { readonly kind: 'report' | 'company' }>;

export const fewestCompared = 2;
export const maxCompared = 6;

/** Longest key of a company, and longest name, in an address, in characters. */
const longestCompanyKey = 500;
const longestName = 500;

/** Longest name that we give, in characters. */
const longestTabName = 100;

/**
 * A panel's address. It ends with a name for the tab of a panel that has not been shown since its window was reloaded.
 * The query says the name once more, for the tooltip: the manifest's label of the scheme can't take it out of the path.
 */
export function panelUri(key: PanelKey, name: string): vscode.Uri {
  const shown = oneLine(name, longestTabName).replaceAll('/', '-') || key.kind;
  const query = JSON.stringify({ name: shown });
  return vscode.Uri.from({ scheme: panelScheme, path: `/${panelPath(key)}/${shown}`, query });
}

/** Tells panels apart, whatever their names are. */
export function panelPath(key: PanelKey): string {
  switch (key.kind) {
    case 'report':
      return `report/${key.reportId}`;
    case 'company':
      return `company/${encodeURIComponent(key.companyKey.toWellFormed())}`;
    case 'compare':
      return `compare/${[...new Set(key.reportIds)].join('-')}`;
    case 'results':
      return `results/${key.subject}`;
    default:
      return key.kind;
  }
}

interface NamedReport {
  readonly report_id: number;
  readonly report_key: string;
  readonly title: string | null;
}

/** What a report's address calls it. The same everywhere: another name would be another tab. */
export function reportName({ title, report_key }: NamedReport): string {
  return title ?? report_key;
}

/**
 * What a click on a report in a tree does. Only this command of the editor learns how the row was chosen: a click opens
 * a preview and leaves the keyboard in the tree, a double click or Enter keeps the tab, as in the Explorer.
 */
export function openReportOnClick(report: NamedReport): vscode.Command {
  const uri = panelUri({ kind: 'report', reportId: report.report_id }, reportName(report));
  return { command: 'vscode.open', title: vscode.l10n.t('Open Report'), arguments: [uri] };
}

/**
 * The panel of an address; undefined for any other address. One may come from a stored layout, a link or another
 * extension, so nothing in it is believed.
 */
export function panelKey(uri: vscode.Uri): PanelKey | undefined {
  const [, kind = '', part = ''] = uri.path.split('/');
  const key = uri.scheme === panelScheme && uri.authority === '' ? keyOf(kind, part) : undefined;
  const name = key && uri.path.startsWith(`/${panelPath(key)}/`) ? uri.path.slice(panelPath(key).length + 2) : '';
  return name === '' || name.includes('/') || name.length > longestName ? undefined : key;
}

/** The panel in front; undefined where something else is. */
export function panelInFront(): PanelKey | undefined {
  return panelOf(vscode.window.tabGroups.activeTabGroup.activeTab);
}

/** The panel that a tab shows; undefined where it shows something else. */
export function panelOf(tab: vscode.Tab | undefined): PanelKey | undefined {
  return tab?.input instanceof vscode.TabInputCustom ? panelKey(tab.input.uri) : undefined;
}

function keyOf(kind: string, part: string): PanelKey | undefined {
  switch (kind) {
    case 'report':
      return isId(part) ? { kind, reportId: Number(part) } : undefined;
    case 'company': {
      const companyKey = decoded(part);
      return companyKey === '' || companyKey.length > longestCompanyKey ? undefined : { kind, companyKey };
    }
    case 'compare': {
      const ids = part.split('-');
      const isComparison = ids.length >= fewestCompared && ids.length <= maxCompared && ids.every(isId);
      return isComparison ? { kind, reportIds: ids.map(Number) } : undefined;
    }
    case 'results':
      return part === 'companies' || part === 'reports' ? { kind, subject: part } : undefined;
    case 'schema':
    case 'coverage':
    case 'table':
    case 'usage':
      return { kind };
    default:
      return undefined;
  }
}

function isId(text: string): boolean {
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
