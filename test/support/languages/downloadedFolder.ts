import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { emptyLock, formatLock } from '../../../src/downloads/manifest.ts';
import { formatCsv } from '../../../src/downloads/reportsCsv.ts';
import { sampleReport } from '../panels/reports.ts';

/** A folder as the extension leaves it: PDFs, lock file and table, below a workspace with an odd name. */
export interface DownloadedFolder {
  readonly workspace: string;
  /** Folders from which code may run: the workspace, one below it, and one far below. */
  readonly starts: readonly string[];
  /** Absolute path of a report's PDF. */
  pdf(reportId: number): string;
  readonly oddTitle: string;
  remove(): void;
}

export const folderName = 'my reports/häfen ☂';
export const firstId = 100_482;
export const secondId = 7;

const oddTitle = '=1+1 "quoted", $HOME {x} \'s\n\u202Eline two\\n ✓ 😀';

/** Writes such a folder with two reports. */
export async function downloadedFolder(): Promise<DownloadedFolder> {
  const workspace = join(realpathSync(mkdtempSync(join(tmpdir(), 'reports '))), 'Überblick & more');
  const home = join(workspace, folderName);
  const reports = [
    sampleReport({ report_id: firstId, report_title: oddTitle }),
    sampleReport({ report_id: secondId, report_key: 'XNYS_Ω_2024_SR', company_name: 'NA' }),
  ];
  const rows = reports.map(({ report_id, report_key, company_key, metadata }) => {
    const path = `Größe ${report_id}/a b.pdf`;
    const bytes = Buffer.from(`%PDF-1.7 ${report_id}`);
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const lockRow = { report_id, report_key, company_key, path, sha256, bytes: bytes.length };
    return {
      lockRow: { ...lockRow, downloaded_at: '2026-01-01T00:00:00.000Z', schema_version: 'V3' },
      metadata: { ...metadata, sha256 },
    };
  });
  const lock = { ...emptyLock, reports: rows.map(({ lockRow }) => lockRow) };
  writeFileSync(join(home, 'reports.lock.json'), await formatLock(lock));
  const table = rows.map(({ lockRow: { report_id, path }, metadata }) => ({ report_id, path, metadata }));
  writeFileSync(join(home, 'reports.csv'), formatCsv(table));
  const starts = [workspace, join(workspace, 'notebooks'), join(workspace, 'a', 'b c', 'd')];
  for (const start of starts) mkdirSync(start, { recursive: true });
  return {
    workspace,
    starts,
    pdf: (reportId) => join(home, `Größe ${reportId}`, 'a b.pdf'),
    oddTitle,
    remove: () => rmSync(dirname(workspace), { recursive: true, force: true }),
  };
}
