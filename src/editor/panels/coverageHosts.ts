import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { companyStateSchema } from '../../protocol/company.ts';
import { type CoverageScope, coverageStateSchema } from '../../protocol/coverage.ts';
import { panelViewTypes } from '../common/contributions.ts';
import { CompanyPanel } from './companyPanel.ts';
import type { PanelContext } from './context.ts';
import { CoveragePanel } from './coveragePanel.ts';
import { PanelHost } from './panelHost.ts';
import type { TextDocuments } from './textDocuments.ts';

type Store = { add<T extends Disposable>(part: T): T };

/** One panel for each company. */
export function companyHost(context: PanelContext, documents: TextDocuments, store: Store): PanelHost<string> {
  return store.add(
    new PanelHost<string>(
      {
        viewType: panelViewTypes.company,
        bundle: 'company',
        title: vscode.l10n.t('Company'),
        icon: 'organization',
        keyOf(state) {
          const parsed = companyStateSchema.safeParse(state);
          return parsed.success ? parsed.data.companyKey : undefined;
        },
        connect: (panel, companyKey) => void new CompanyPanel(panel, context, documents, companyKey),
      },
      context.extensionUri,
      context.log,
    ),
  );
}

/** The one panel of the coverage matrix. */
export function coverageHost(context: PanelContext, documents: TextDocuments, store: Store): PanelHost<'coverage'> {
  let scope: CoverageScope = 'watchlist';
  return store.add(
    new PanelHost<'coverage'>(
      {
        viewType: panelViewTypes.coverage,
        bundle: 'coverage',
        title: vscode.l10n.t('Coverage'),
        icon: 'table',
        keyOf(state) {
          const parsed = coverageStateSchema.safeParse(state);
          if (!parsed.success) return undefined;
          scope = parsed.data.scope;
          return 'coverage';
        },
        connect(panel) {
          new CoveragePanel(panel, context, documents, scope);
          scope = 'watchlist';
        },
      },
      context.extensionUri,
      context.log,
    ),
  );
}
