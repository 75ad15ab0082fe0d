import '../common/jitless.ts';
import { l10n } from '../../base/l10n.ts';
import { type FileState, metadataProtocol, metadataStateSchema } from '../../protocol/metadata.ts';
import { PanelPage } from '../common/page.ts';
import { announce } from '../common/widgets.ts';
import { pageTemplate } from './page.ts';
import type { ReportPage } from './rows.ts';

let file: FileState | undefined;

const page: ReportPage = new PanelPage({
  protocol: metadataProtocol,
  schema: metadataStateSchema,
  fresh: { version: 2, filter: '' },
  template: () => pageTemplate(page, file),
  updated: l10n.later('The report was updated'),
  events: {
    file(next) {
      const before = file;
      file = next;
      page.draw();
      if (before?.kind === 'downloading' && next.kind !== 'downloading') announce(endWords(next));
    },
    stepped({ step }) {
      const buttons = page.root.querySelectorAll<HTMLElement>('nav button');
      const same = [...buttons].find((button) => button.dataset.step === step);
      (same ?? buttons[0])?.focus();
    },
  },
});

function endWords(state: FileState): string {
  if (state.kind === 'downloaded') return state.verified ? l10n.t('Downloaded and verified') : l10n.t('Downloaded');
  return state.kind === 'failed' ? state.message : l10n.t('Download cancelled');
}

page.start();
