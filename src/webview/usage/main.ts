import '../common/jitless.ts';
import { usageProtocol, usageStateSchema } from '../../protocol/usage.ts';
import { PanelPage } from '../common/page.ts';
import { pageTemplate, type UsagePage } from './page.ts';

const page: UsagePage = new PanelPage({
  protocol: usageProtocol,
  schema: usageStateSchema,
  fresh: { version: 1 },
  template: () => pageTemplate(page),
});

page.start();
