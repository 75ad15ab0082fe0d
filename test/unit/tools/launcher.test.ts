import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launcherOf, mcpConfiguration } from '../../../src/tools/launcher.ts';
import { temporaryDirectory } from '../library/support/stores.ts';

describe('the launcher of the MCP server', () => {
  it('starts what it points to, by the editor’s own Node, whatever the folders are called', function () {
    if (process.platform === 'win32') this.skip();
    const folder = temporaryDirectory();
    try {
      const odd = join(folder.path, 'it\'s "$HOME" `x` & more');
      mkdirSync(odd);
      const script = join(odd, 'mcp.mjs');
      writeFileSync(script, 'console.log(JSON.stringify([process.env.ELECTRON_RUN_AS_NODE, process.argv.slice(2)]))');
      const { platform, execPath } = process;
      const pointer = join(odd, 'pointer.json');
      const { name, content } = launcherOf({ platform, execPath, script, pointer, version: '1.2.3' });
      const launcher = join(odd, name);
      writeFileSync(launcher, content, { mode: 0o600 });
      const { command, args } = JSON.parse(mcpConfiguration(platform, launcher)).mcpServers['report-library'];
      // As a client starts it: without what this process has in its environment.
      const { stdout, stderr } = spawnSync(command, args, { env: {}, encoding: 'utf8' });
      assert.equal(stderr, '');
      assert.deepEqual(JSON.parse(stdout), ['1', [pointer, '1.2.3']]);
    } finally {
      folder.remove();
    }
  });

  it('is a batch file on Windows', () => {
    const options = { execPath: 'C:\\100%\\Code.exe', script: 'C:\\ext\\mcp.js', pointer: 'C:\\p.json', version: '1' };
    const { name, content } = launcherOf({ platform: 'win32', ...options });
    assert.equal(name, 'report-library-mcp.cmd');
    assert.match(
      content,
      /set REPORT_LIBRARY_API_KEY=\r\nset ELECTRON_RUN_AS_NODE=1\r\n"C:\\100%%\\Code\.exe" "C:\\ext\\mcp\.js" "C:\\p\.json" "1"\r\n/,
    );
    assert.deepEqual(JSON.parse(mcpConfiguration('win32', 'C:\\x.cmd')).mcpServers['report-library'], {
      command: 'cmd',
      args: ['/c', 'C:\\x.cmd'],
    });
  });
});
