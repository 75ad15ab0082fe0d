import '../common/jitless.ts';
import { l10n } from '../../base/l10n.ts';
import { compareProtocol, compareStateSchema } from '../../protocol/compare.ts';
import { PanelPage } from '../common/page.ts';
import { type ComparisonPage, pageTemplate } from './page.ts';

const page: ComparisonPage = new PanelPage({
  protocol: compareProtocol,
  schema: compareStateSchema,
  fresh: { version: 2, filter: '', showSame: false },
  template: () => pageTemplate(page),
  updated: l10n.later('The comparison was updated'),
  scroller: '.scroller',
});

page.start();
