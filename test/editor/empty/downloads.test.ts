import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { DownloadOutcome } from '../../../src/app/app.ts';
import { activated, type SharedDemo, sharedDemo } from '../../support/editor/demo.ts';

const download = (ids: readonly number[]) =>
  vscode.commands.executeCommand<DownloadOutcome[]>('reportLibrary.downloadReports', ids);

describe('Download PDFs… run by a program', () => {
  let demo: SharedDemo;
  let withFile: { readonly report_id: number; readonly report_key: string };
  let withoutFile: { readonly report_id: number };

  before(async () => {
    demo = await sharedDemo(await activated());
    const reports = demo.control.entitled();
    const [listed] = reports.filter(({ report_key }) => report_key === 'XETR_ALBM_2024_SR');
    const [bare] = reports.filter(({ has_file }) => !has_file);
    assert.ok(listed && bare);
    withFile = listed;
    withoutFile = bare;
  });

  after(async () => {
    await vscode.commands.executeCommand('reportLibrary.signOut');
  });

  it('writes the verified file to its place, and says so', async () => {
    const { sha256 } = await demo.control.pdf(withFile.report_id);
    const path = 'reports/XETR_ALBM/2024/XETR_ALBM_2024_SR.pdf';
    assert.deepEqual(await download([withFile.report_id]), [
      { report_id: withFile.report_id, status: 'downloaded', path, sha256 },
    ]);
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(folder);
    const bytes = await readFile(vscode.Uri.joinPath(folder, path).fsPath);
    assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256);
  });

  it('asks for no link a second time', async () => {
    const links = demo.control.log.to('GET /reports/{report_id}/download').length;
    const [outcome] = await download([withFile.report_id]);
    assert.equal(outcome?.status, 'unchanged');
    assert.equal(demo.control.log.to('GET /reports/{report_id}/download').length, links);
    assert.deepEqual(demo.control.log.violations, []);
  });

  it('answers in the order of the ids, and a report without a PDF costs no link', async () => {
    const links = demo.control.log.to('GET /reports/{report_id}/download').length;
    const outcomes = await download([withoutFile.report_id, withFile.report_id]);
    assert.deepEqual(
      outcomes.map(({ report_id, status }) => [report_id, status]),
      [
        [withoutFile.report_id, 'no-file'],
        [withFile.report_id, 'unchanged'],
      ],
    );
    assert.equal(demo.control.log.to('GET /reports/{report_id}/download').length, links);
  });

  it('tells an id that no report has in words for a person, and does the others all the same', async () => {
    const [unknown, known] = await download([987_654_321, withFile.report_id]);
    assert.deepEqual([unknown?.report_id, unknown?.status], [987_654_321, 'failed']);
    assert.match(unknown?.reason ?? '', /^The service no longer offers this report/);
    assert.doesNotMatch(unknown?.reason ?? '', /rlk_demo_live_|\bat .*:\d+:\d+/);
    assert.deepEqual([known?.report_id, known?.status], [withFile.report_id, 'unchanged']);
  });

  it('does nothing for an empty list', async () => {
    assert.deepEqual(await download([]), []);
  });
});
