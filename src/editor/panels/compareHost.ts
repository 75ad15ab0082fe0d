import * as vscode from 'vscode';
import { type CompareState, compareStateSchema, fewestCompared } from '../../protocol/compare.ts';
import { panelViewTypes } from '../common/contributions.ts';
import { ComparePanel } from './comparePanel.ts';
import type { PanelContext } from './context.ts';
import { PanelHost } from './panelHost.ts';
import type { TextDocuments } from './textDocuments.ts';

/** What a comparison leads to. */
export interface CompareLinks {
  showColumn(column: string): void;
  showReport(reportId: number): void;
}

/** Opens comparisons; the same reports in the same order share a panel. */
export function compareHost(
  context: PanelContext,
  documents: TextDocuments,
  links: CompareLinks,
): PanelHost<string, CompareState> {
  return new PanelHost<string, CompareState>(
    {
      viewType: panelViewTypes.compare,
      bundle: 'compare',
      title: vscode.l10n.t('Compare Reports'),
      icon: 'diff-multiple',
      state: compareStateSchema,
      keyOf: ({ reportIds }) => (new Set(reportIds).size < fewestCompared ? undefined : comparisonKey(reportIds)),
      connect(panel, key) {
        const reportIds = key.split(' ').map(Number);
        return new ComparePanel({ panel, context, documents, reportIds, ...links });
      },
    },
    context,
  );
}

/** Names a comparison. */
export function comparisonKey(reportIds: readonly number[]): string {
  return [...new Set(reportIds)].join(' ');
}
