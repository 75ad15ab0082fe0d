import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { silentLogger } from '../../../src/base/logger.ts';
import { Channel, type Handlers, type Port, type Protocol, type Side } from '../../../src/base/rpc.ts';
import type { AnyPanel } from '../../../src/protocol/page.ts';

/** A conversation; the PDF preview keeps nothing in its page. */
type Panel = Protocol & { readonly kept?: AnyPanel['kept'] };

/** Every panel's conversation there is, found by what the folder holds. */
async function allProtocols(): Promise<[string, Panel][]> {
  const folder = new URL('../../../src/protocol/', import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  const modules = await Promise.all(names.map((name) => import(new URL(name, folder).href)));
  return modules.flatMap((module: Record<string, unknown>) =>
    Object.entries(module).filter((entry): entry is [string, Panel] => entry[0].endsWith('Protocol')),
  );
}

interface Heard {
  readonly name: string;
  readonly data: unknown;
}

/** One end of a conversation that notes what reached its handlers and what it answered. */
function listen(mine: Side, theirs: Side) {
  let deliver: (message: unknown) => void = () => {};
  const posted: { kind: string; id?: number }[] = [];
  const heard: Heard[] = [];
  const port: Port = {
    post: (message) => void posted.push(message as { kind: string }),
    onMessage(listener) {
      deliver = listener;
      return { dispose() {} };
    },
  };
  const note = (name: string) => (data: unknown) => {
    heard.push({ name, data });
    return null;
  };
  const handlers = {
    calls: Object.fromEntries(Object.keys(mine.calls).map((name) => [name, note(name)])),
    events: Object.fromEntries(Object.keys(mine.events).map((name) => [name, note(name)])),
  } as unknown as Handlers<Side>;
  new Channel({ port, mine, theirs, handlers, explain: String, log: silentLogger });
  return { deliver: (message: unknown) => deliver(message), posted, heard };
}

const oddName = fc.constantFrom('constructor', '__proto__', 'toString', '', 'show\u0000', 'SHOW');
const oddValue = fc.oneof(
  fc.jsonValue(),
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
  fc.constantFrom(
    { __proto__: { row: 'title' } },
    { row: 'title', extra: 1 },
    { row: ['title'] },
    { column: -1 },
    'null',
  ),
);

/** Messages of the right shape for a side, with anything in them, and messages of no shape at all. */
function messageFor(side: Side): fc.Arbitrary<unknown> {
  const name = fc.oneof(fc.constantFrom(...Object.keys(side.calls), ...Object.keys(side.events)), oddName);
  const data = fc.oneof(oddValue, fc.constant(null));
  return fc.oneof(
    fc.record({ kind: fc.constant('call'), id: fc.oneof(fc.integer(), oddValue), name, params: data }),
    fc.record({ kind: fc.constant('event'), name, data }),
    fc.record(
      { kind: fc.constantFrom('result', 'failure'), id: fc.integer(), result: data },
      { requiredKeys: ['kind'] },
    ),
    oddValue,
  );
}

describe('the editor’s side of panels under a hail of messages', () => {
  it('covers every panel', async () => {
    const names = (await allProtocols()).map(([name]) => name);
    for (const name of ['blocksProtocol', 'coverageProtocol', 'tableProtocol', 'pdfPreviewProtocol'])
      assert.ok(names.includes(name), name);
  });

  it('hear only what was agreed', async () => {
    for (const [name, { host: mine, page: theirs }] of await allProtocols()) {
      await fc.assert(
        fc.asyncProperty(fc.array(messageFor(mine), { maxLength: 20 }), async (messages) => {
          const { deliver, posted, heard } = listen(mine, theirs);
          for (const message of messages) deliver(message);
          await new Promise((resolve) => setImmediate(resolve));
          for (const each of heard) {
            const schema = mine.calls[each.name]?.params ?? mine.events[each.name];
            assert.ok(schema, `${name}: ${each.name} is not agreed`);
            assert.ok(schema.safeParse(each.data).success, `${name}: ${each.name} got something else`);
          }
          const answered = posted.map(({ kind }) => kind);
          assert.ok(
            answered.every((kind) => kind === 'result' || kind === 'failure'),
            `${name}: ${answered}`,
          );
        }),
        { numRuns: 150 },
      );
    }
  });

  it('answer every call that has an id, once', async () => {
    for (const [, { host: mine, page: theirs }] of await allProtocols()) {
      const { deliver, posted } = listen(mine, theirs);
      const names = [...Object.keys(mine.calls), 'constructor', 'nothing'];
      for (const [id, name] of names.entries()) deliver({ kind: 'call', id, name, params: { odd: true } });
      await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(
        posted.map(({ id }) => id),
        names.map((_, id) => id),
      );
    }
  });

  it('never take a stored state for their own that is not', async () => {
    const states = (await allProtocols()).flatMap(([name, { kept }]) => (kept ? [[name, kept.schema] as const] : []));
    assert.ok(states.length >= 3);
    for (const [name, schema] of states) {
      fc.assert(
        fc.property(oddValue, (value) => {
          const parsed = schema.safeParse(value);
          assert.ok(!parsed.success || (parsed.data as { version: unknown }).version === 1, name);
        }),
      );
    }
  });
});
