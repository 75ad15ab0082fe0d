import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { type Gate, openGate } from '../../../scripts/host/gate.ts';
import { temporaryFolder } from '../../unit/downloads/fixtures.ts';

describe('the editor that npm start serves', () => {
  const home = temporaryFolder();
  let editor: Server;
  let gate: Gate;
  beforeEach(async () => {
    editor = createServer((asked, answer) => answer.end(`the person's file ${asked.url}`));
    editor.on('upgrade', (_, socket) =>
      socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
    );
    editor.listen(join(home.path, 'editor.sock'));
    await once(editor, 'listening');
    gate = await openGate(join(home.path, 'editor.sock'), 0);
  });
  afterEach(() => {
    gate.close();
    editor.close();
  });

  /** Asks the gate at its port, with these headers. */
  async function ask(path: string, headers: Record<string, string> = {}) {
    const sent = request({ port: gate.port, host: '127.0.0.1', path, headers: { connection: 'close', ...headers } });
    const answered = new Promise<{ status: number; headers: IncomingHttpHeaders; body: string }>((resolve, reject) => {
      sent.once('error', reject);
      sent.once('upgrade', ({ statusCode: status = 0, headers }, socket: Socket) => {
        socket.destroy();
        resolve({ status, headers, body: '' });
      });
      sent.once('response', async (answer) => {
        const parts: string[] = [];
        for await (const part of answer.setEncoding('utf8')) parts.push(String(part));
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: parts.join('') });
      });
    });
    sent.end();
    return answered;
  }
  /** What the printed address gives a browser. */
  async function visited() {
    const { status, headers } = await ask(
      new URL(gate.url('/?folder=/work')).pathname + new URL(gate.url('/?folder=/work')).search,
    );
    assert.deepEqual([status, headers.location], [302, '/?folder=/work']);
    const [cookie = ''] = headers['set-cookie'] ?? [];
    assert.match(cookie, /; Path=\/; HttpOnly; SameSite=Strict$/);
    return cookie.split(';')[0] ?? '';
  }
  const websocket = { connection: 'Upgrade', upgrade: 'websocket' };

  it('opens from the printed address, and from nothing else', async () => {
    const cookie = await visited();
    const file = '/vscode-remote-resource?path=/etc/hosts';
    assert.equal((await ask(file, { cookie })).body, `the person's file ${file}`);
    for (const headers of [{}, { cookie: `${cookie}0` }, { cookie: cookie.replace(/=.*/, '=') }]) {
      const { status, body } = await ask(file, headers);
      assert.deepEqual([status, body.includes('file')], [403, false]);
    }
    assert.equal((await ask('/?token=guessed')).status, 403);
    assert.equal((await ask('/', { ...websocket, cookie })).status, 101);
    assert.equal((await ask('/', websocket)).status, 403);
  });

  it('refuses every host but the exact loopback one, and pages of other origins', async () => {
    const cookie = await visited();
    for (const host of ['rebinding.example', `rebinding.example:${gate.port}`, `localhost:${gate.port}`, '127.0.0.1']) {
      assert.equal((await ask('/', { cookie, host })).status, 403, host);
      assert.equal((await ask('/', { ...websocket, cookie, host })).status, 403, host);
      const address = new URL(gate.url('/'));
      assert.equal((await ask(address.pathname + address.search, { host })).status, 403, host);
    }
    for (const origin of ['http://rebinding.example', `http://localhost:${gate.port}`, 'null'])
      assert.equal((await ask('/', { ...websocket, cookie, origin })).status, 403, origin);
    const origin = `http://127.0.0.1:${gate.port}`;
    assert.equal((await ask('/', { ...websocket, cookie, origin })).status, 101);
  });

  it('has another token each time', async () => {
    const other = await openGate(join(home.path, 'editor.sock'), 0);
    other.close();
    const tokenOf = (opened: Gate) => new URL(opened.url('/')).searchParams.get('token') ?? '';
    assert.match(tokenOf(gate), /^[0-9a-f]{32}$/);
    assert.notEqual(tokenOf(gate), tokenOf(other));
  });
});
