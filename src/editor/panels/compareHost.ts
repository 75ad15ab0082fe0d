import * as vscode from 'vscode';
import { compareStateSchema, fewestCompared } from '../../protocol/compare.ts';
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
export function compareHost(context: PanelContext, documents: TextDocuments, links: CompareLinks): PanelHost<string> {
  return new PanelHost<string>(
    {
      viewType: panelViewTypes.compare,
      bundle: 'compare',
      title: vscode.l10n.t('Compare Reports'),
      icon: 'diff-multiple',
      keyOf(state) {
        const parsed = compareStateSchema.safeParse(state);
        if (!parsed.success || new Set(parsed.data.reportIds).size < fewestCompared) return undefined;
        return comparisonKey(parsed.data.reportIds);
      },
      connect(panel, key) {
        const reportIds = key.split(' ').map(Number);
        new ComparePanel({ panel, context, documents, reportIds, ...links });
      },
    },
    context.extensionUri,
    context.log,
  );
}

/** Names a comparison. */
export function comparisonKey(reportIds: readonly number[]): string {
  return [...new Set(reportIds)].join(' ');
}
