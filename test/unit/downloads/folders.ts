import { join } from 'node:path';
import { silentLogger } from '../../../src/base/logger.ts';
import { DownloadFolder, type DownloadFolderOptions } from '../../../src/downloads/folder.ts';
import { emptyLock, formatLock, type LockRow, lockName } from '../../../src/downloads/manifest.ts';
import type { ContentStore, LinkSource } from '../../../src/downloads/ports.ts';
import { DownloadQueue } from '../../../src/downloads/queue.ts';
import { FakeClock, pdf, portsOf, put, sha256 } from './fixtures.ts';

/** The downloads folder `reports` below a root, with what it needs from outside. */
export function openFolder(
  root: string,
  source: LinkSource,
  {
    clock = new FakeClock(),
    stores = [],
    queue = new DownloadQueue(portsOf(source, { clock, stores })),
    ...more
  }: Partial<DownloadFolderOptions> & { readonly stores?: readonly ContentStore[] } = {},
): DownloadFolder {
  return new DownloadFolder({ root, folder: 'reports', queue, clock, logger: silentLogger, ...more });
}

/** A row of a lock file, for the PDF that {@link pdf} makes of the report id. */
export function lockRow(report_id: number, more: Partial<LockRow> = {}): LockRow {
  return {
    ...{ report_id, report_key: `XDEM_ACME_2023_SR_${report_id}`, company_key: 'XDEM_ACME', path: `${report_id}.pdf` },
    ...{ bytes: 100_000, downloaded_at: '2026-01-02T03:04:05.000Z', schema_version: 'V3' },
    sha256: more.sha256 ?? sha256(pdf(report_id)),
    ...more,
  };
}

/** Writes the lock file of the folder `reports` below a root. */
export async function putLock(root: string, ...reports: LockRow[]): Promise<void> {
  await put(join(root, 'reports', lockName), await formatLock({ ...emptyLock, reports }));
}
