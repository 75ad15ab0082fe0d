import * as vscode from 'vscode';
import { l10n } from '../../base/l10n.ts';
import { byteSize, counted, countText, plainText } from '../../base/words.ts';
import { commandIds } from '../common/contributions.ts';
import { type MoreNode, moreItem } from '../common/libraryTree.ts';
import { fileName, labelText } from '../common/messages.ts';
import { tooltipOf } from '../common/reportNode.ts';
import type { HitNode, HitReportNode } from './hitList.ts';
import {
  companyOf,
  coverageGaps,
  coverageLine,
  failureWords,
  hitsNote,
  markedRow,
  otherFileWords,
  pageName,
  readingNotes,
  reportLine,
  reportWords,
  spokenHit,
  withoutTextWords,
} from './hitWords.ts';
import type { PdfCoverage, PdfText } from './pdfText.ts';

/** How the PDFs stand; always the first row. */
export interface CoverageNode {
  readonly kind: 'coverage';
  coverage: PdfCoverage;
  /** What the index takes on disk. */
  bytes: number;
}

/** A row below it that says one thing, with commands. */
export interface TextStateNode {
  readonly kind: 'textState';
  readonly state: 'reading' | 'paused' | 'size';
  readonly of: CoverageNode;
}

/** The lists of PDFs that are not, or not wholly, searched. */
export type TextListName = keyof PdfCoverage['lists'] | 'others';

export interface TextListNode {
  readonly kind: 'textList';
  readonly list: TextListName;
  readonly of: CoverageNode;
}

/** A PDF in such a list. */
export interface CoveredPdfNode {
  readonly kind: 'coveredPdf';
  readonly list: TextListName;
  readonly path: string;
  readonly reason: string;
  /** What commands of a menu take the report from. */
  readonly report: { readonly report_id: number } | undefined;
  readonly name: string;
}

/** A row that says how many more there are. */
interface LeftNode {
  readonly kind: 'left';
  readonly count: number;
}

export type PdfHitsNode =
  | CoverageNode
  | TextStateNode
  | TextListNode
  | CoveredPdfNode
  | LeftNode
  | HitReportNode
  | HitNode
  | MoreNode;

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

/** Most PDFs of a list that are shown. */
const maxListed = 200;

const listTitles: Readonly<Record<TextListName, (count: number) => string>> = {
  withoutText: (count) => counted(count, l10n.later('1 without text (scan)'), l10n.later('{0} without text (scans)')),
  failed: (count) => vscode.l10n.t('{0} failed', countText(count)),
  waiting: (count) => vscode.l10n.t('{0} waiting', countText(count)),
  partly: (count) => vscode.l10n.t('{0} read in part', countText(count)),
  others: (count) => vscode.l10n.t('{0} not published by your library', countText(count)),
};

/** What is below the coverage: what is being done, the lists that hold something, and the size. */
export function coverageChildren(of: CoverageNode): PdfHitsNode[] {
  const { coverage } = of;
  const states = [
    coverage.reading ? 'reading' : undefined,
    coverage.paused && coverage.waiting > 0 ? 'paused' : undefined,
  ] as const;
  const names = Object.keys(listTitles) as TextListName[];
  return [
    ...states.flatMap((state): PdfHitsNode[] => (state ? [{ kind: 'textState', state, of }] : [])),
    ...names
      .filter((list) => entriesOf(coverage, list).length > 0)
      .map((list) => ({ kind: 'textList', list, of }) as const),
    { kind: 'textState', state: 'size', of },
  ];
}

function entriesOf(coverage: PdfCoverage, list: TextListName): readonly { readonly path: string }[] {
  return list === 'others' ? coverage.others : coverage.lists[list];
}

/** The PDFs of a list, each with why it is there. */
export function listChildren({ list, of: { coverage } }: TextListNode, text: Pick<PdfText, 'reportOf'>): PdfHitsNode[] {
  const { lists, others } = coverage;
  const rows: { path: string; sha256?: string; reportId?: number | null; reason: string }[] =
    list === 'others'
      ? others.map(({ path, reportId }) => ({ path, reportId, reason: otherFileWords }))
      : list === 'failed'
        ? lists.failed.map((pdf) => ({ ...pdf, reason: failureWords[pdf.reason] }))
        : list === 'partly'
          ? lists.partly.map((pdf) => ({ ...pdf, reason: partWords(pdf) }))
          : lists[list].map((pdf) => ({
              ...pdf,
              reason: list === 'withoutText' ? withoutTextWords : vscode.l10n.t('Not read yet.'),
            }));
  const nodes = rows.slice(0, maxListed).map(({ path, sha256, reportId, reason }): CoveredPdfNode => {
    const report = sha256 === undefined ? undefined : text.reportOf(sha256);
    const file = fileName(vscode.Uri.file(path));
    const id = report?.report_id ?? reportId;
    return {
      ...{ kind: 'coveredPdf', list, path, reason },
      name: report ? `${reportWords(report)} · ${companyOf(report)}` : labelText(file),
      report: id ? { report_id: id } : undefined,
    };
  });
  const left = rows.length - nodes.length;
  return left > 0 ? [...nodes, { kind: 'left', count: left }] : nodes;
}

function partWords({ damaged, left }: PdfCoverage['lists']['partly'][number]): string {
  const pages = damaged.slice(0, 20).join(', ') + (damaged.length > 20 ? '…' : '');
  return [
    damaged.length > 0 ? vscode.l10n.t('Damaged pages that can’t be searched: {0}.', pages) : '',
    left > 0 ? vscode.l10n.t('Too long: the last {0} pages are not searched.', countText(left)) : '',
  ].join(' ');
}

/**
 * How a node looks.
 * @param isOneCompany whether all hits are of one company, which needs no name in each row then
 */
export function hitItem(node: PdfHitsNode, isOneCompany = false): vscode.TreeItem {
  switch (node.kind) {
    case 'coverage':
      return coverageItem(node);
    case 'textState':
      return stateItem(node);
    case 'textList': {
      const title = listTitles[node.list](entriesOf(node.of.coverage, node.list).length);
      return itemOf(title, Collapsed, { id: `textList:${node.list}`, contextValue: `pdfText.${node.list}` });
    }
    case 'coveredPdf':
      return coveredItem(node);
    case 'left':
      return itemOf(vscode.l10n.t('and {0} more', countText(node.count)), None, {});
    case 'hitReport':
      return reportHitsItem(node, isOneCompany);
    case 'hit':
      return pageHitItem(node);
    case 'more':
      return moreItem(node);
  }
}

function itemOf(
  label: string | vscode.TreeItemLabel,
  state: vscode.TreeItemCollapsibleState,
  rest: Partial<vscode.TreeItem>,
): vscode.TreeItem {
  return Object.assign(new vscode.TreeItem(label, state), rest);
}

function coverageItem({ coverage }: CoverageNode): vscode.TreeItem {
  const line = coverageLine(coverage);
  const gaps = coverageGaps(coverage);
  const waits = coverage.paused === 'off' ? 'clock' : 'debug-pause';
  const isPaused = coverage.paused !== null && coverage.waiting > 0;
  const icon = coverage.reading ? 'sync~spin' : isPaused ? waits : gaps === '' ? 'pass' : 'info';
  const spoken = [line, gaps, coverage.reading ? vscode.l10n.t('reading') : ''].filter(Boolean).join(', ');
  return itemOf(line, Collapsed, {
    id: 'pdfText',
    description: gaps,
    tooltip: [line, gaps].filter(Boolean).join('\n'),
    contextValue:
      coverage.waiting > 0 && !coverage.reading && !coverage.paused ? 'pdfText.waiting' : 'pdfText.coverage',
    iconPath: new vscode.ThemeIcon(icon),
    accessibilityInformation: { label: spoken },
  });
}

function stateItem({ state, of: { coverage, bytes } }: TextStateNode): vscode.TreeItem {
  if (state === 'size') {
    const size = byteSize(bytes, vscode.env.language);
    return itemOf(vscode.l10n.t('Text index: {0} on disk', size), None, {
      id: 'pdfText:size',
      contextValue: 'pdfText.size',
      iconPath: new vscode.ThemeIcon('database'),
    });
  }
  if (state === 'reading') {
    const file = labelText(fileName(vscode.Uri.file(coverage.reading?.path ?? '')));
    return itemOf(vscode.l10n.t('Reading {0}', file), None, {
      id: 'pdfText:reading',
      description: readingNotes(coverage),
      contextValue: 'pdfText.reading',
      iconPath: new vscode.ThemeIcon('sync~spin'),
    });
  }
  return itemOf(pauseWords(coverage.paused), None, {
    id: 'pdfText:paused',
    contextValue: coverage.paused === 'person' ? 'pdfText.paused' : 'pdfText.waiting',
    iconPath: new vscode.ThemeIcon('debug-pause'),
    command: { command: commandIds.readPdfText, title: vscode.l10n.t('Read Now') },
  });
}

/** Why nothing is read, and what a click does. `off` while the setting is on is a window that is busy otherwise. */
function pauseWords(paused: PdfCoverage['paused']): string {
  if (paused === 'person') return vscode.l10n.t('Paused. Read Now');
  return paused === 'battery'
    ? vscode.l10n.t('Paused on battery. Read Now')
    : vscode.l10n.t('Waiting for downloads and sync. Read Now');
}

function coveredItem({ list, path, reason, report, name }: CoveredPdfNode): vscode.TreeItem {
  return itemOf(name, None, {
    id: `coveredPdf:${list}:${path}`,
    description: list === 'waiting' ? '' : reason,
    tooltip: `${plainText(path, 1000)}\n${reason}`,
    contextValue: report ? 'coveredPdf' : 'coveredFile',
    iconPath: new vscode.ThemeIcon(list === 'failed' ? 'warning' : 'file-pdf'),
    accessibilityInformation: { label: plainText(`${name}, ${reason}`) },
    ...(report && {
      command: { command: commandIds.openPdf, title: vscode.l10n.t('Open PDF'), arguments: [report.report_id] },
    }),
  });
}

function reportHitsItem({ report, hits }: HitReportNode, isOneCompany: boolean): vscode.TreeItem {
  const pages = counted(hits.length, l10n.later('1 page'), l10n.later('{0} pages'));
  // Year and type first, as in other trees: of one company's rows the editor would else cut what tells them apart.
  return itemOf(reportWords(report), Expanded, {
    id: `hitReport:${report.report_id}`,
    description: hitsNote({ report, hits }, isOneCompany),
    tooltip: tooltipOf(report.title ?? report.report_key, [
      [vscode.l10n.t('Company'), report.company_name],
      [vscode.l10n.t('Report key'), report.report_key],
      [vscode.l10n.t('Published'), report.published],
    ]),
    contextValue: 'hitReport',
    iconPath: new vscode.ThemeIcon('file-pdf'),
    accessibilityInformation: { label: plainText(`${reportLine(report)}, ${pages}`) },
  });
}

/** Characters before the first hit: with more of them a row of usual width would end before the hit does. */
const lead = 40;

function pageHitItem(node: HitNode): vscode.TreeItem {
  const { found, report } = node;
  return itemOf(markedRow(`${pageName(found)}  `, found, lead), None, {
    id: `hit:${report.report_id}:${found.sha256}:${found.page}`,
    ...(found.count > 1 && { description: `${countText(found.count)}×` }),
    tooltip: snippetTooltip(node),
    contextValue: 'hit',
    accessibilityInformation: { label: `${spokenHit(node)}: ${plainText(found.snippet, 1000)}` },
    command: { command: commandIds.openPdfHit, title: vscode.l10n.t('Open PDF'), arguments: [node] },
  });
}

function snippetTooltip({ found: { snippet, marks, page, label }, report }: HitNode): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  let at = 0;
  const add = (text: string) => tooltip.appendText(plainText(` ${text} `, 1000));
  for (const [begin, end] of marks) {
    add(snippet.slice(at, begin));
    tooltip.appendMarkdown(' **');
    add(snippet.slice(begin, end));
    tooltip.appendMarkdown('** ');
    at = end;
  }
  add(snippet.slice(at));
  tooltip.appendMarkdown('\n\n').appendText(`${pageName({ page, label })} · ${reportLine(report)}`);
  return tooltip;
}
