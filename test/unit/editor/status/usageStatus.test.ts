import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { byWork } from '../../../../src/api/transport/ledger.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { Secret } from '../../../../src/base/secret.ts';
import type { Log } from '../../../../src/editor/common/log.ts';
import { UsageStatus } from '../../../../src/editor/status/usageStatus.ts';
import type { Services } from '../../../../src/services.ts';
import { settled } from '../../../support/panels/openPanel.ts';

describe('the usage in the status bar', () => {
  it('counts what this window asked for since the service told its count, as the Usage panel does', async () => {
    const totals = byWork(() => 5);
    let tellRate = (_rate: null): void => undefined;
    const client = {
      usage: async () => ({ requests: 25, downloads: 0, raw: {} }),
      rate: null,
      ledger: { read: () => ({ totals: { ...totals } }) },
      onDidChangeRate: (listener: typeof tellRate) => {
        tellRate = listener;
        return { dispose() {} };
      },
    };
    const key = new Secret('rlk_test_live_0123456789');
    const connection = { id: 'a', name: 'A', baseUrl: 'https://reports.example.com/api/v2', key, isDemo: false };
    const session = { kind: 'signedIn', connection } as const;
    const call = (work: (of: unknown) => Promise<unknown>) => work(client);
    const item = { text: '', show() {}, dispose() {} };
    const services = { session, call, entitlements: async () => null } as unknown as Services;
    const status = new UsageStatus(item as unknown as vscode.StatusBarItem, services, silentLogger as Log);
    try {
      status.follow(session);
      await settled();
      assert.equal(item.text, '$(library) 25 requests · 0 PDFs');
      totals.downloads += 8;
      totals.browsing += 2;
      tellRate(null);
      assert.equal(item.text, '$(library) 35 requests · 8 PDFs');
    } finally {
      status.dispose();
    }
  });
});
