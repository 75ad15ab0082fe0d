import '../common/jitless.ts';
import { l10n } from '../../base/l10n.ts';
import { maxKeptQueries, resolveProtocol, resolveStateSchema } from '../../protocol/results.ts';
import { PanelPage } from '../common/page.ts';
import { announce } from '../common/widgets.ts';
import { pageTemplate } from './page.ts';
import type { ResultRow, ResultsPage } from './rows.ts';

const page: ResultsPage = new PanelPage({
  protocol: resolveProtocol,
  schema: resolveStateSchema,
  fresh: { version: 3, queries: [], filter: '', status: null },
  template: () => pageTemplate(page),
  taking(view) {
    const rows: readonly ResultRow[] = view.rows;
    const { status } = page.state;
    if (status === null || rows.some((row) => row.status === status)) return;
    page.keep({ status: null });
    announce(l10n.t('No row has that result any more. All results are shown.'));
  },
  events: {
    // A list that is too long to be kept can't be brought back after a reload; the panel then says so.
    input: ({ queries }) => page.keep({ queries: queries.length <= maxKeptQueries ? queries : [] }),
  },
});

page.start();
page.send('restore', { queries: page.state.queries });
