import assert from 'node:assert/strict';
import fc from 'fast-check';
import { silentLogger } from '../../../src/base/logger.ts';
import { Channel, type Handlers, type Side } from '../../../src/base/rpc.ts';
import { companyProtocol, companyViewSchema } from '../../../src/protocol/company.ts';
import { coverageProtocol, coverageViewSchema } from '../../../src/protocol/coverage.ts';
import { sampleCoverage } from '../../support/panels/coverage.ts';

const protocols: Readonly<Record<string, { readonly host: Side; readonly page: Side }>> = {
  company: companyProtocol,
  coverage: coverageProtocol,
};

/** Messages of every shape: anything, and near misses that carry real names. */
function messages(side: Side): fc.Arbitrary<unknown> {
  const names = fc.constantFrom(
    ...Object.keys(side.calls),
    ...Object.keys(side.events),
    'constructor',
    '__proto__',
    '',
  );
  const part = fc.record(
    {
      row: fc.anything(),
      year: fc.oneof(fc.integer(), fc.string()),
      family: fc.oneof(fc.constantFrom('SR', 'all', 'toString'), fc.anything()),
      cells: fc.anything(),
      look: fc.anything(),
      id: fc.anything(),
    },
    { requiredKeys: [] },
  );
  return fc.oneof(
    fc.anything(),
    fc.record(
      {
        kind: fc.constantFrom('call', 'event', 'result', 'failure', 'other'),
        id: fc.oneof(fc.integer(), fc.anything()),
        name: fc.oneof(names, fc.anything()),
        params: fc.oneof(part, fc.anything()),
        data: fc.oneof(part, fc.anything()),
      },
      { requiredKeys: ['kind'] },
    ),
  );
}

/** A side whose handlers note that they were reached, and with what. */
function listener(mine: Side, theirs: Side) {
  let deliver: (message: unknown) => void = () => undefined;
  const reached: [name: string, value: unknown][] = [];
  const note = (name: string) => (value: unknown) => {
    reached.push([name, value]);
    return null;
  };
  const handlers = {
    calls: Object.fromEntries(Object.keys(mine.calls).map((name) => [name, note(name)])),
    events: Object.fromEntries(Object.keys(mine.events).map((name) => [name, note(name)])),
  } as unknown as Handlers<Side>;
  const port = {
    post: () => undefined,
    onMessage(next: (message: unknown) => void) {
      deliver = next;
      return { dispose: () => undefined };
    },
  };
  const channel = new Channel<Side, Side>({ port, mine, theirs, handlers, explain: String, log: silentLogger });
  return { reached, deliver: (message: unknown) => deliver(message), channel };
}

describe('messages to the company and coverage panels', () => {
  for (const [name, protocol] of Object.entries(protocols)) {
    for (const [which, mine, theirs] of [
      ['editor', protocol.host, protocol.page],
      ['page', protocol.page, protocol.host],
    ] as const) {
      it(`the ${which}’s side of the ${name} panel takes nothing that is not part of the conversation`, function () {
        this.timeout(60_000);
        const { reached, deliver } = listener(mine, theirs);
        fc.assert(
          fc.property(messages(mine), (message) => {
            deliver(message);
            for (const [called, value] of reached.splice(0)) {
              const schema = mine.calls[called]?.params ?? mine.events[called];
              assert.ok(schema?.safeParse(value).success, `${called} was reached with a value that does not fit`);
            }
          }),
          { numRuns: 3000 },
        );
      });
    }
  }
});

describe('views and states of the company and coverage panels', () => {
  it('are refused whatever else comes in their place', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const states = [companyProtocol.kept.schema, coverageProtocol.kept.schema];
        for (const schema of [...states, companyViewSchema, coverageViewSchema]) {
          assert.equal(schema.safeParse(value).success, false);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('carry bytes as bytes', () => {
    const view = sampleCoverage(5);
    assert.deepEqual(coverageViewSchema.parse(structuredClone(view)), view);
    assert.equal(coverageViewSchema.safeParse({ ...view, counts: [...view.counts] }).success, false);
  });
});
