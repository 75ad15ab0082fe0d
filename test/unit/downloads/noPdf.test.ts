import assert from 'node:assert/strict';
import type { Report } from '../../../src/api/schemas/report.ts';
import { downloadReport } from '../../../src/downloads/download.ts';
import { FakeSource, filesBelow, portsOf, report, reportOf, temporaryFolder } from './fixtures.ts';

describe('a web page that comes instead of a PDF', () => {
  const folder = temporaryFolder();
  const page = Buffer.from('<html><h1>Sign in</h1></html>');
  const path = 'reports/XDEM_ACME/2022/XDEM_ACME_2023_SR.pdf';
  const run = (wanted: Report) =>
    downloadReport(wanted, { root: folder.path, path, heldSha256: null }, portsOf(new FakeSource().serve(7, page)), {});

  it('is not kept as one where no hash tells them apart', async () => {
    const result = await run(report({ content_sha256: null }));
    assert.deepEqual([result.status, result.cause], ['failed', 'bad-file']);
    assert.match(result.reason ?? '', /something other than a PDF/);
    assert.deepEqual(await filesBelow(folder.path), []);
  });

  it('is kept where the service published its hash', async () => {
    assert.equal((await run(reportOf(page))).status, 'downloaded');
    assert.deepEqual(await filesBelow(folder.path), [path]);
  });
});
