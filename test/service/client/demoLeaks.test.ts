import assert from 'node:assert/strict';
import type { Client } from '../../../src/api/client.ts';
import { systemClock } from '../../../src/base/clock.ts';
import type { FaultAction } from '../../support/demo/faults.ts';
import { looks } from './clients.ts';
import { endDemos, everything, firstPage, readingNames, startDemo } from './demos.ts';

afterEach(endDemos);

const location = 'https://elsewhere.example/api/v2/usage';
const faults: readonly (FaultAction | null)[] = [
  null,
  { kind: 'status', status: 401 },
  { kind: 'status', status: 503 },
  { kind: 'html', status: 403 },
  { kind: 'reset' },
  { kind: 'truncate', atByte: 30, end: 'reset' },
  { kind: 'truncate', atByte: 30, end: 'close' },
  { kind: 'garbage' },
  { kind: 'garbage', encoding: 'gzip' },
  { kind: 'altered-bytes' },
  { kind: 'redirect', location },
  { kind: 'expired-link' },
];

/** What every endpoint gives, or the error it fails with; the link too, and the fetch of it. */
async function everyOutcome(client: Client, reportId: number): Promise<unknown[]> {
  const background = { priority: 'background', tries: 2 } as const;
  const link = client.downloadLink(reportId, background);
  const calls = [
    client.health(background),
    client.entitlements(background),
    everything(client.watchlist(background)),
    client.resolve([{ list: 'names', value: 'x' }], background),
    everything(client.reports({ type: ['IR'] }, background)),
    firstPage(client.changes({ since: '2020-01-01T00:00:00Z' }, { ...background, limit: 5 })),
    client.lookup(['x'], background),
    client.report(reportId, background),
    link,
    client.schema(background),
    client.fieldGuide(background).then(({ bytes }) => bytes?.length),
    client.frameworks(background),
    client.usage(background),
    client.resolve([{ list: 'names', value: '' }]),
    client.report(-1),
  ];
  const outcomes = await Promise.allSettled(calls);
  return outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason));
}

async function fetched(client: Client, reportId: number): Promise<unknown> {
  try {
    const link = await client.downloadLink(reportId, { tries: 1 });
    const file = await client.openLink(link);
    for await (const chunk of file.body) assert.ok(chunk.length > 0);
    return [link, file];
  } catch (error) {
    return error;
  }
}

for (const readings of readingNames) {
  describe(`key and link at the ${readings} demo`, () => {
    it('are in nothing that is logged, thrown or given back, whatever goes wrong', async () => {
      for (const authentication of ['bearer', 'x-api-key'] as const) {
        const sinks: unknown[] = [];
        const write = (line: string) => void sinks.push(line);
        const { demo, client } = await startDemo(
          { readings },
          {
            authentication,
            logger: { debug: write, info: write, warn: write, error: write },
          },
        );
        client.onDidChangeRate((rate) => sinks.push(rate));
        const sample = demo.control.entitled().find(({ has_file }) => has_file)?.report_id ?? 0;
        for (const action of faults) {
          demo.control.faults.set(action ? [{ action }] : []);
          sinks.push(await everyOutcome(client, sample));
        }
        sinks.push(client, client.rate);
        assert.ok(demo.control.log.entries.filter(({ status }) => status === 200).length > 12);
        const canaries = [demo.key.reveal(), demo.key.reveal().slice(15, 35), 'signature='];
        assertHidden(sinks, canaries);
      }
    });

    it('stay hidden while files are fetched, well or badly', async () => {
      const sinks: unknown[] = [];
      const write = (line: string) => void sinks.push(line);
      const { demo, client } = await startDemo(
        { readings, clock: systemClock, edgeRequestsPerSecond: 100 },
        { clock: systemClock, logger: { debug: write, info: write, warn: write, error: write } },
      );
      const sample = demo.control.entitled().find(({ has_file }) => has_file)?.report_id ?? 0;
      const when = ({ path }: { readonly path: string }) => path.startsWith('/files/');
      const bad: readonly FaultAction[] = [
        { kind: 'reset' },
        { kind: 'truncate', atByte: 5, end: 'reset' },
        { kind: 'html', status: 503 },
        { kind: 'redirect', location },
      ];
      sinks.push(await fetched(client, sample));
      for (const action of bad) {
        demo.control.faults.set([{ match: { when }, action }]);
        const outcome = await fetched(client, sample);
        assert.ok(outcome instanceof Error, action.kind);
        sinks.push(outcome);
      }
      assert.deepEqual(demo.control.log.violations, []);
      assertHidden(sinks, [demo.key.reveal().slice(15, 35), 'signature=', '/files/']);
    });
  });
}

function assertHidden(sinks: readonly unknown[], canaries: readonly string[]): void {
  const texts = sinks.flat().flatMap((sink) => looks(sink));
  assert.ok(texts.length > 20);
  for (const text of texts) {
    const canary = canaries.find((each) => text.includes(each));
    if (canary !== undefined) assert.fail(`Found in: ${text.replaceAll(canary, '[canary]').slice(0, 600)}`);
  }
}
