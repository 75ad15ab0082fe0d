import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import fc from 'fast-check';
import { silentLogger } from '../../../src/base/logger.ts';
import { launcherOf } from '../../../src/tools/launcher.ts';
import { tokensOf } from '../../../src/tools/tool.ts';
import { answerTool, tools } from '../../../src/tools/tools.ts';
import { type ToolThread, toolThread } from '../../../src/tools/toolThread.ts';
import { oddCalls, type ToolCall, usualCalls } from '../../unit/tools/support/toolInputs.ts';
import { makeToolWorld, type ToolWorld } from '../../unit/tools/support/toolWorld.ts';

const src = (name: string) => new URL(`../../../src/tools/${name}`, import.meta.url);
const never = new AbortController().signal;

/** What JSON keeps of an input: both doors carry nothing else. */
const carried = ([name, input]: ToolCall): ToolCall => [name, JSON.parse(JSON.stringify(input))];

describe('the doors of the tools', () => {
  let world: ToolWorld;
  let thread: ToolThread;
  let client: Client;
  let transport: StdioClientTransport;
  before(async () => {
    world = await makeToolWorld();
    thread = toolThread({ pointer: world.pointer, worker: src('tools.worker.ts'), logger: silentLogger });
    transport = new StdioClientTransport({
      command: process.execPath,
      args: [fileURLToPath(src('mcp.ts')), world.pointer, '1.2.3'],
      env: {},
    });
    client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
  });
  after(async () => {
    await client.close();
    await thread.dispose();
    world.dispose();
  });

  it('give the very same answers to 100 calls', async () => {
    const calls = [
      ...fc.sample(usualCalls, { numRuns: 80, seed: 7 }),
      ...fc.sample(oddCalls, { numRuns: 20, seed: 7 }),
    ];
    let answered = 0;
    for (const [name, input] of calls.map(carried)) {
      const full = `reportlibrary_${name}`;
      const [one, other] = await Promise.all([
        thread.call('answer', [full, input], never),
        client.callTool({ name: full, arguments: input }),
      ]);
      assert.deepEqual(other, { content: [{ type: 'text', text: one.text }], isError: one.isError });
      if (!one.isError) answered++;
    }
    assert.ok(answered > 50, `${answered} answers`);
  });

  it('tell agents outside of the editor which tools there are: all read only, in a closed world', async () => {
    const { tools: listed } = await client.listTools();
    assert.deepEqual(
      listed.map(({ name, annotations }) => [name, annotations?.readOnlyHint, annotations?.openWorldHint]),
      tools.map(({ name }) => [name, true, false]),
    );
    assert.deepEqual(client.getServerVersion()?.version, '1.2.3');
  });

  it('give the server no key, whatever the client has in its environment', async function () {
    if (process.platform !== 'linux') this.skip();
    const { platform, execPath } = process;
    const script = fileURLToPath(src('mcp.ts'));
    const { content } = launcherOf({ platform, execPath, script, pointer: world.pointer, version: '1' });
    const env = { REPORT_LIBRARY_API_KEY: 'CANARY-KEY', HOME: '/CANARY-HOME' };
    const own = new StdioClientTransport({ command: '/bin/sh', args: ['-c', content], env });
    const other = new Client({ name: 'test', version: '1' });
    await other.connect(own);
    try {
      const held = readFileSync(`/proc/${own.pid}/environ`, 'utf8');
      assert.match(held, /ELECTRON_RUN_AS_NODE=1/);
      assert.match(held, /CANARY-HOME/);
      assert.doesNotMatch(held, /API_KEY|CANARY-KEY/);
    } finally {
      await other.close();
    }
  });

  it('go on answering after a call that its client has cancelled', async () => {
    const abort = new AbortController();
    const name = 'reportlibrary_explain_field';
    const given = client.callTool({ name, arguments: { field: 'type' } }, undefined, { signal: abort.signal });
    abort.abort();
    await assert.rejects(given);
    assert.notEqual((await client.callTool({ name, arguments: { field: 'type' } })).isError, true);
  });

  it('give up a count in the middle', async () => {
    const abort = new AbortController();
    const asked = answerTool('reportlibrary_explain_field', { field: 'type' }, world.sources, abort.signal);
    abort.abort();
    await assert.rejects(asked, { name: 'AbortError' });
  });

  it('answer whatever they are asked, within the limit, from a source, and tell no path or text that is nobody’s', async () => {
    const canaries = /CANARY|pages\.sqlite|own\.sqlite|pointer\.json| {4}at |node:internal/;
    await fc.assert(
      fc.asyncProperty(fc.oneof(oddCalls, usualCalls), async ([name, input]) => {
        const { text, isError } = await answerTool(`reportlibrary_${name}`, input, world.sources, never);
        assert.doesNotMatch(text, canaries);
        assert.doesNotMatch(text, /failed unexpectedly/);
        assert.ok(tokensOf(text) <= 4000, `${tokensOf(text)} tokens of ${name}`);
        const value = JSON.parse(text) as Record<string, unknown>;
        if (isError) assert.equal(typeof value.error, 'string');
        else if (/_page|read_report|verify/.test(name)) {
          const sources = 'hits' in value ? (value.hits as Record<string, unknown>[]) : [value];
          for (const source of sources) assert.ok('report_key' in source && 'sha256' in source, name);
        }
      }),
      { numRuns: 600 },
    );
  });

  it('end with their client, and leave nothing behind', async () => {
    const own = new StdioClientTransport({
      command: process.execPath,
      args: [fileURLToPath(src('mcp.ts')), world.pointer],
      env: {},
    });
    const other = new Client({ name: 'test', version: '1' });
    await other.connect(own);
    const { pid } = own;
    assert.ok(pid);
    await other.close();
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  });
});
