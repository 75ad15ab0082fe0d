import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Services } from '../../../../src/app/session.ts';
import type { Upstream } from '../../../../src/downloads/ports.ts';
import { choosePdf } from '../../../../src/editor/downloads/downloadCommand.ts';
import { openPdf } from '../../../../src/editor/downloads/openPdf.ts';
import type { DownloadsContext } from '../../../../src/editor/downloads/workspaceDownloads.ts';
import { pdf, pick, sha256, temporaryFolder } from '../../downloads/fixtures.ts';
import { lockRow, putLock } from '../../downloads/folders.ts';
import { windowAt } from './window.ts';

describe('opening a PDF', () => {
  const home = temporaryFolder();
  const published = pdf(1);
  const forged = pdf(2);
  const serviceTells: Upstream = { sha256: sha256(published), withdrawn: false };
  const [windowBefore, commandsBefore] = [{ ...vscode.window }, { ...vscode.commands }];
  afterEach(() => {
    Object.assign(vscode.window, windowBefore);
    Object.assign(vscode.commands, commandsBefore);
  });

  /** Opens the PDF of report 1 where the lock names `named`; what the editor was told and asked, in order. */
  async function opened(there: Buffer | 'folder', named: Buffer, upstream?: Upstream): Promise<string[]> {
    const seen: string[] = [];
    const at = join(home.path, 'reports');
    await mkdir(join(at, there === 'folder' ? 'a.pdf' : ''), { recursive: true });
    if (there !== 'folder') await writeFile(join(at, 'a.pdf'), there);
    const row = lockRow(1, { path: 'a.pdf', verified: true, sha256: sha256(named), bytes: named.length });
    await putLock(home.path, row);
    Object.assign(vscode.window, {
      setStatusBarMessage: (text: string) => void seen.push(text),
      showWarningMessage: async (text: string) => void seen.push(`warning: ${text}`),
    });
    Object.assign(vscode.commands, { executeCommand: async (command: string) => void seen.push(command) });
    const context = windowAt(home.path, { session: {} }, { upstream });
    await openPdf(context as DownloadsContext, [1]).catch((error: Error) => seen.push(error.message));
    return seen;
  }

  it('tells as verified what has the published hash', async () => {
    assert.deepEqual(await opened(published, published, serviceTells), [
      'vscode.openWith',
      '$(verified-filled) a.pdf: verified',
    ]);
  });

  it('warns of a file that was edited here, though it has its size and the lock calls it verified', async () => {
    for (const upstream of [serviceTells, undefined])
      assert.deepEqual(await opened(forged, published, upstream), [
        'vscode.openWith',
        'warning: a.pdf was edited since it was downloaded.',
      ]);
  });

  it('does not take the word of a lock that was forged with the file', async () => {
    const told = async (upstream?: Upstream) => (await opened(forged, forged, upstream))[1];
    assert.equal(await told(), '$(unverified) a.pdf: matching the lock file (not yet checked with the service)');
    assert.equal(await told(serviceTells), '$(arrow-circle-up) a.pdf: with a newer version available');
    const withoutHash = { sha256: null, withdrawn: false };
    assert.equal(await told(withoutHash), '$(unverified) a.pdf: not verified (no hash published)');
  });

  it('comes after the comparison: what can’t be read is not opened', async () => {
    const [told, ...others] = await opened('folder', published, serviceTells);
    assert.ok(told && told !== 'vscode.openWith', told);
    assert.deepEqual(others, []);
  });

  it('is a choice by year, type and company, with what is selected first; a key finds it too', async () => {
    const known = { year: null, language: null, state: 'listed', has_file: true, type: 'SR', fiscal_year: 2016 };
    const named = { ...known, report_key: 'UNLT_HOH_2016_SR', title: 'Umwelterklärung', company_name: 'Hohenfels' };
    const library = { summaries: async () => [{ ...named, report_id: 2 }] };
    const services = {
      ready: async () => ({ connection: {} }),
      library: async () => ({ library }),
    } as unknown as Services;
    const offered: vscode.QuickPickItem[] = [];
    const showQuickPick = async (items: readonly vscode.QuickPickItem[]) => void offered.push(...items);
    Object.assign(vscode.window, { showQuickPick });
    const choice = (reportId: number, reportKey: string, path: string) => {
      return { reportId, reportKey, path, uri: vscode.Uri.file(path) };
    };
    const choices = [choice(1, 'K1', 'reports/K1.pdf'), choice(2, 'UNLT_HOH_2016_SR', 'reports/a.pdf')];
    assert.equal(await choosePdf(services, choices, [2]), undefined);
    assert.deepEqual(pick(offered, 'label', 'description', 'detail'), [
      ['2016 Sustainability Report · Umwelterklärung', 'Hohenfels', 'UNLT_HOH_2016_SR · reports/a.pdf'],
      ['K1', '', 'reports/K1.pdf'],
    ]);
  });
});
