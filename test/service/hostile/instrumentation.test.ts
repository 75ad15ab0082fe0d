import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cliStage } from '../cli/stage.ts';

/** Writes down what the HTTP library publishes about requests. */
const listener = (file: string) => `
  import { subscribe } from 'node:diagnostics_channel';
  import { appendFileSync } from 'node:fs';
  import { inspect } from 'node:util';
  for (const name of ['undici:request:create', 'undici:client:sendHeaders', 'undici:request:headers', 'http.client.request.start'])
    subscribe(name, (message) => appendFileSync(${JSON.stringify(file)}, inspect(message, { depth: 6 })));
`;

describe('the instrumentation of the HTTP library', function () {
  this.timeout(60_000);
  const stage = cliStage(2);

  it('shows neither the key nor a signed link, to NODE_DEBUG or to listeners', async () => {
    const [heard, script] = [join(stage.cwd, 'heard.txt'), join(stage.cwd, 'listener.mjs')];
    await writeFile(heard, '');
    await writeFile(script, listener(heard));
    const env = { NODE_DEBUG: 'undici,fetch,http', NODE_OPTIONS: `--import=${pathToFileURL(script).href}` };
    const { code, stdout, stderr } = await stage.cli(`download ${stage.keys.join(' ')}`, { env });
    assert.equal(code, 0, stderr);
    const seen = stdout + stderr + (await readFile(heard, 'utf8'));
    assert.equal(seen.includes(stage.demo.key.reveal()), false);
    assert.doesNotMatch(seen, /signature=|Bearer/);
  });
});
