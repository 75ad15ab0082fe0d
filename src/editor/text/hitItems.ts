import * as vscode from 'vscode';
import { l10n } from '../../base/l10n.ts';
import { byteSize, counted, countText, plainText } from '../../base/words.ts';
import type { PdfLacks } from '../../text/textIndex.ts';
import { commandIds } from '../common/contributions.ts';
import { type MoreNode, moreItem } from '../common/libraryTree.ts';
import { fileName, labelText } from '../common/messages.ts';
import { pageName, tooltipOf } from '../common/reportNode.ts';
import type { HitNode, HitReportNode } from './hitList.ts';
import {
  companyLabel,
  coverageGaps,
  coverageLine,
  failureWords,
  hitsNote,
  markedRow,
  otherFileWords,
  readingNotes,
  reportLine,
  snippetParts,
  spokenHit,
  withoutTextWords,
  yearAndType,
} from './hitWords.ts';
import type { PdfCoverage, PdfText } from './pdfText.ts';

/** A row that says how the PDFs stand: what it shows and what is below it is known when it is made. */
export interface PdfStateNode {
  readonly kind: 'state';
  item: vscode.TreeItem;
  children: () => readonly PdfStateNode[];
  /** What commands of a menu take the report from. */
  readonly report?: { readonly report_id: number } | undefined;
}

export type PdfHitsNode = PdfStateNode | HitReportNode | HitNode | MoreNode;

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

const maxListed = 200;

function itemOf(
  label: string | vscode.TreeItemLabel,
  state: vscode.TreeItemCollapsibleState,
  rest: Partial<vscode.TreeItem>,
): vscode.TreeItem {
  return Object.assign(new vscode.TreeItem(label, state), rest);
}

const icon = (name: string) => new vscode.ThemeIcon(name);

/**
 * The first row: how many PDFs are searched; below it what is being done, the lists that hold something, and the size.
 * @param bytes what the index takes on disk
 */
export function coverageNode(coverage: PdfCoverage, bytes: number, text: Pick<PdfText, 'reportOf'>): PdfStateNode {
  const size = leaf(vscode.l10n.t('Text index: {0} on disk', byteSize(bytes, vscode.env.language)), {
    id: 'pdfText:size',
    contextValue: 'pdfText.size',
    iconPath: icon('database'),
  });
  const children = () => [...stateNodes(coverage), ...listNodes(coverage, text), size];
  return { kind: 'state', item: coverageItem(coverage), children };
}

function leaf(label: string, rest: Partial<vscode.TreeItem>): PdfStateNode {
  return { kind: 'state', item: itemOf(label, None, rest), children: () => [] };
}

function coverageItem(coverage: PdfCoverage): vscode.TreeItem {
  const line = coverageLine(coverage);
  const gaps = coverageGaps(coverage);
  const waits = coverage.paused === 'off' ? 'clock' : 'debug-pause';
  const isPaused = coverage.paused !== null && coverage.waiting > 0;
  const still = isPaused ? waits : gaps === '' ? 'pass' : 'info';
  const spoken = [line, gaps, coverage.reading ? vscode.l10n.t('reading') : ''].filter(Boolean).join(', ');
  return itemOf(line, Collapsed, {
    id: 'pdfText',
    description: gaps,
    tooltip: [line, gaps].filter(Boolean).join('\n'),
    contextValue:
      coverage.waiting > 0 && !coverage.reading && !coverage.paused ? 'pdfText.waiting' : 'pdfText.coverage',
    iconPath: icon(coverage.reading ? 'sync~spin' : still),
    accessibilityInformation: { label: spoken },
  });
}

function stateNodes(coverage: PdfCoverage): PdfStateNode[] {
  const nodes: PdfStateNode[] = [];
  if (coverage.reading) {
    const file = labelText(fileName(vscode.Uri.file(coverage.reading.path)));
    nodes.push(
      leaf(vscode.l10n.t('Reading {0}', file), {
        id: 'pdfText:reading',
        description: readingNotes(coverage),
        contextValue: 'pdfText.reading',
        iconPath: icon('sync~spin'),
      }),
    );
  }
  if (coverage.paused && coverage.waiting > 0) {
    const paused = {
      id: 'pdfText:paused',
      contextValue: coverage.paused === 'person' ? 'pdfText.paused' : 'pdfText.waiting',
      iconPath: icon('debug-pause'),
      command: { command: commandIds.readPdfText, title: vscode.l10n.t('Index Now') },
    };
    nodes.push(leaf(pauseWords(coverage.paused), paused));
  }
  return nodes;
}

/** Why nothing is read, and what a click does. `off` while the setting is on is a window that is busy otherwise. */
function pauseWords(paused: PdfCoverage['paused']): string {
  return paused === 'person'
    ? vscode.l10n.t('Paused. Index Now')
    : vscode.l10n.t('Waiting for downloads and sync. Index Now');
}

/** A PDF that is not, or not wholly, searched. */
interface ListedPdf {
  readonly path: string;
  readonly sha256?: string;
  /** Of the report that a lock file says it is of. */
  readonly reportId?: number | null;
}

/** The lists of PDFs that are not, or not wholly, searched, as far as they hold something. */
function listNodes({ lists, others }: PdfCoverage, text: Pick<PdfText, 'reportOf'>): PdfStateNode[] {
  const { withoutText, failed, waiting, partly } = lists;
  const unreadable = withoutText.filter((pdf) => pdf.unreadable.length > 0);
  const scanned = withoutText.filter((pdf) => pdf.unreadable.length === 0);
  const scans = vscode.l10n.t('{0} without text (scanned)', countText(scanned.length));
  const list = <Pdf extends ListedPdf>(
    name: string,
    title: string,
    pdfs: readonly Pdf[],
    reasonOf: (pdf: Pdf) => string,
  ): PdfStateNode[] => {
    if (pdfs.length === 0) return [];
    const left = pdfs.length - maxListed;
    const children = () => [
      ...pdfs.slice(0, maxListed).map((pdf) => listedNode(name, pdf, reasonOf(pdf), text)),
      ...(left > 0 ? [leaf(vscode.l10n.t('and {0} more', countText(left)), {})] : []),
    ];
    const item = itemOf(title, Collapsed, { id: `textList:${name}`, contextValue: `pdfText.${name}` });
    return [{ kind: 'state', item, children }];
  };
  const count = (pdfs: readonly unknown[]) => countText(pdfs.length);
  return [
    ...list('withoutText', scans, scanned, (pdf) => [withoutTextWords, partWords(pdf)].join(' ').trim()),
    ...list('unreadable', vscode.l10n.t('{0} not readable', count(unreadable)), unreadable, partWords),
    ...list('failed', vscode.l10n.t('{0} failed', count(failed)), failed, ({ reason }) => failureWords[reason]),
    ...list('waiting', vscode.l10n.t('{0} waiting', count(waiting)), waiting, () => vscode.l10n.t('Not indexed yet.')),
    ...list('partly', vscode.l10n.t('{0} partly indexed', count(partly)), partly, partWords),
    ...list('others', vscode.l10n.t('{0} not published by your library', count(others)), others, () => otherFileWords),
  ];
}

function listedNode(
  list: string,
  { path, sha256, reportId }: ListedPdf,
  reason: string,
  text: Pick<PdfText, 'reportOf'>,
): PdfStateNode {
  const report = sha256 === undefined ? undefined : text.reportOf(sha256);
  const id = report?.report_id ?? reportId;
  const name = report ? `${yearAndType(report)} · ${companyLabel(report)}` : labelText(fileName(vscode.Uri.file(path)));
  const node = leaf(name, {
    id: `coveredPdf:${list}:${path}`,
    description: list === 'waiting' ? '' : reason,
    tooltip: `${plainText(path, 1000)}\n${reason}`,
    contextValue: id ? 'coveredPdf' : 'coveredFile',
    iconPath: icon(list === 'failed' ? 'warning' : 'file-pdf'),
    accessibilityInformation: { label: plainText(`${name}, ${reason}`) },
    ...(id && { command: { command: commandIds.openPdf, title: vscode.l10n.t('Open PDF'), arguments: [id] } }),
  });
  return id ? { ...node, report: { report_id: id } } : node;
}

/** What of a PDF is not searched, in words. */
function partWords({ damaged, left, empty, unreadable, attachments }: PdfLacks): string {
  const few = (list: readonly (string | number)[]) => list.slice(0, 20).join(', ') + (list.length > 20 ? '…' : '');
  const files = few(attachments.map((name) => plainText(name, 60)));
  return [
    damaged.length > 0 ? vscode.l10n.t('Damaged pages that can’t be searched: {0}.', few(damaged)) : '',
    unreadable.length > 0 ? vscode.l10n.t('Pages whose fonts can’t be read as text: {0}.', few(unreadable)) : '',
    empty > 0 ? vscode.l10n.t('Pages without text: {0}.', countText(empty)) : '',
    attachments.length > 0 ? vscode.l10n.t('Attached files that aren’t searched: {0}.', files) : '',
    left > 0 ? vscode.l10n.t('Too long: the last {0} pages are not searched.', countText(left)) : '',
  ]
    .filter((words) => words !== '')
    .join(' ');
}

/**
 * How a node looks.
 * @param isOneCompany whether all hits are of one company, which needs no name in each row then
 */
export function hitItem(node: PdfHitsNode, isOneCompany = false): vscode.TreeItem {
  switch (node.kind) {
    case 'state':
      return node.item;
    case 'hitReport':
      return reportHitsItem(node, isOneCompany);
    case 'hit':
      return pageHitItem(node);
    case 'more':
      return moreItem(node);
  }
}

function reportHitsItem({ report, hits }: HitReportNode, isOneCompany: boolean): vscode.TreeItem {
  const pages = counted(hits.length, l10n.later('1 page'), l10n.later('{0} pages'));
  // Year and type first, as in other trees: of one company's rows the editor would else cut what tells them apart.
  return itemOf(yearAndType(report), Expanded, {
    id: `hitReport:${report.report_id}`,
    description: hitsNote({ report, hits }, isOneCompany),
    tooltip: tooltipOf(report.title ?? report.report_key, [
      [vscode.l10n.t('Company'), report.company_name],
      [vscode.l10n.t('Report key'), report.report_key],
      [vscode.l10n.t('Published'), report.published],
    ]),
    contextValue: 'hitReport',
    iconPath: icon('file-pdf'),
    accessibilityInformation: { label: plainText(`${reportLine(report)}, ${pages}`) },
  });
}

function pageHitItem(node: HitNode): vscode.TreeItem {
  const { found, report } = node;
  return itemOf(markedRow(`${pageName(found)}  `, found), None, {
    id: `hit:${report.report_id}:${found.sha256}:${found.page}`,
    ...(found.count > 1 && { description: `${countText(found.count)}×` }),
    tooltip: snippetTooltip(node),
    contextValue: 'hit',
    accessibilityInformation: { label: `${spokenHit(node)}: ${plainText(found.snippet, 1000)}` },
    command: { command: commandIds.openPdfHit, title: vscode.l10n.t('Open PDF'), arguments: [node] },
  });
}

function snippetTooltip({ found, report }: HitNode): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  for (const { text, isHit } of snippetParts(found)) {
    if (isHit) tooltip.appendMarkdown(' **');
    tooltip.appendText(plainText(` ${text} `, 1000));
    if (isHit) tooltip.appendMarkdown('** ');
  }
  return tooltip.appendMarkdown('\n\n').appendText(`${pageName(found)} · ${reportLine(report)}`);
}
