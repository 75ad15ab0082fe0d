import { openEditor } from '../support/browser/editor.ts';

const editor = await openEditor('try-notebooks');
const { page } = editor;
page.setDefaultTimeout(20_000);
try {
  await page.setViewportSize({ width: 1400, height: 1000 });
  await editor.openContainer('Report Library');
  await editor.treeRow('Watchlist', 'Altenbruch').waitFor();
  await editor.treeRow('Watchlist', 'Altenbruch').click();
  await editor.treeRow('Watchlist', 'Fiscal year 2024').click();
  await editor.treeRow('Watchlist', 'Sustainability Report').first().waitFor();
  await page.keyboard.press('Control+P');
  await editor.quickInput().fill('analysis.ipynb');
  await editor.quickRow('analysis.ipynb').first().click();
  await page.locator('.notebookOverlay .code-cell-row .view-lines:visible').first().waitFor();
  await editor.screenshot('nb-1-open');
  const row = await editor.treeRow('Watchlist', 'Sustainability Report 2023/2024').first().boundingBox();
  const cell = await page.locator('.notebookOverlay .code-cell-row .view-lines:visible').first().boundingBox();
  console.log(row, cell);
  if (!row || !cell) throw new Error('no boxes');
  await page.mouse.move(row.x + 120, row.y + row.height / 2);
  await page.mouse.down();
  await page.mouse.move(row.x + 160, row.y + row.height / 2 + 5, { steps: 4 });
  await page.mouse.move(cell.x + 60, cell.y + cell.height - 5, { steps: 20 });
  await page.waitForTimeout(1500);
  await editor.screenshot('nb-2-hover');
  await page.mouse.up();
  await page.waitForTimeout(5000);
  await editor.screenshot('nb-3-dropped');
} catch (error) {
  console.log(error);
  await editor.screenshot('nb-error');
} finally {
  await editor.close();
}
