import type { UsageFacts } from '../../../src/panels/usage.ts';

/** What a service says of a month in use. */
export function sampleUsage(changes: Partial<UsageFacts> = {}): UsageFacts {
  return {
    connection: 'Demo Library',
    usage: { requests: 48213, downloads: 1904, raw: { period: '2026-04', requests: 48213, downloads: 1904 } },
    rate: { limit: 300, remaining: 271 },
    assistants: null,
    ...changes,
  };
}
