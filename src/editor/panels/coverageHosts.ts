import * as vscode from 'vscode';
import { type CompanyState, companyStateSchema } from '../../protocol/company.ts';
import { type CoverageScope, type CoverageState, coverageStateSchema } from '../../protocol/coverage.ts';
import { panelViewTypes } from '../common/contributions.ts';
import { CompanyPanel } from './companyPanel.ts';
import type { PanelContext } from './context.ts';
import { CoveragePanel } from './coveragePanel.ts';
import { PanelHost } from './panelHost.ts';
import type { TextDocuments } from './textDocuments.ts';

/** One panel for each company. */
export function companyHost(
  context: PanelContext,
  documents: TextDocuments,
  showColumn: (column: string) => void,
): PanelHost<string, CompanyState> {
  return new PanelHost<string, CompanyState>(
    {
      viewType: panelViewTypes.company,
      bundle: 'company',
      title: vscode.l10n.t('Company'),
      icon: 'organization',
      state: companyStateSchema,
      keyOf: ({ companyKey }) => companyKey,
      connect: (panel, companyKey) => new CompanyPanel(panel, context, documents, companyKey, showColumn),
    },
    context,
  );
}

type CoverageHost = PanelHost<'coverage', CoverageState, CoveragePanel>;

/** The one panel of the coverage matrix. It is shown for the companies that somebody asks for. */
export function coverageHost(
  context: PanelContext,
  documents: TextDocuments,
): { readonly host: CoverageHost; show(scope: CoverageScope): void } {
  let scope: CoverageScope = 'watchlist';
  const host: CoverageHost = new PanelHost<'coverage', CoverageState, CoveragePanel>(
    {
      viewType: panelViewTypes.coverage,
      bundle: 'coverage',
      title: vscode.l10n.t('Coverage'),
      icon: 'table',
      state: coverageStateSchema,
      keyOf(state) {
        scope = state.scope;
        return 'coverage';
      },
      connect: (panel) => new CoveragePanel(panel, context, documents, scope),
    },
    context,
  );
  return {
    host,
    show(wanted) {
      scope = wanted;
      host.opened('coverage')?.showScope(wanted);
      host.show('coverage');
    },
  };
}
