import { drawIcon } from './pictures/icon.ts';
import { endOnSignals } from './process/owned.ts';
import { main } from './progress.ts';
import { mochaTests } from './test/mochaRun.ts';

// Draws the icon, walks through the product to take the walkthrough's pictures anew, and takes those that panels are
// compared with.
endOnSignals();
await main(async () => {
  await drawIcon();
  process.env.REPORT_LIBRARY_KEEP_PICTURES = '1';
  process.env.UPDATE_LOOKS = '1';
  const { failed } = await mochaTests('browser', { timeoutMs: 120_000, only: ['pictures', 'looks', 'pdfPreview'] });
  return failed === 0 ? 0 : 1;
});
