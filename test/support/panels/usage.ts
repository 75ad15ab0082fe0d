import { RequestLedger } from '../../../src/api/transport/ledger.ts';
import type { UsageFacts } from '../../../src/protocol/usage.ts';

const now = Date.UTC(2026, 3, 14, 15, 42, 20);
const minute = 60_000;

/** A first load, some reading and downloading, and a burst that was refused. */
export function busyHour(changes: Partial<UsageFacts> = {}): UsageFacts {
  const ledger = new RequestLedger({ now: () => now, monotonic: () => 0, sleep: async () => {} });
  const note = (ago: number, count: number, route: string, status: number | null = 200) => {
    const priority = route === '/reports' || route === '/reports/changes' ? 'background' : 'interactive';
    for (let n = 0; n < count; n++) ledger.note({ route, priority, at: now - ago * minute, status });
  };
  for (const [ago, count] of [
    [58, 12],
    [57, 48],
    [56, 47],
    [55, 31],
    [25, 1],
    [1, 1],
  ] as const)
    note(ago, count, '/reports');
  note(40, 6, '/reports/{report_id}');
  note(12, 9, '/reports/{report_id}');
  note(12, 24, '/reports/{report_id}/download');
  note(11, 30, '/reports/{report_id}/download');
  note(11, 2, '/reports/{report_id}/download', 429);
  note(5, 3, '/companies/resolve');
  note(5, 1, '/companies/resolve', null);
  note(0, 1, '/meta/usage');
  const read = ledger.read();
  return {
    connection: 'Demo Library',
    month: {
      kind: 'read',
      spent: read.totals,
      usage: { requests: 48213, downloads: 1904, raw: { period: '2026-04', requests: 48213, downloads: 1904 } },
    },
    rate: { limit: 300, remaining: 271, readAt: now - 4000, waiting: null },
    ledger: read,
    ...changes,
  };
}
