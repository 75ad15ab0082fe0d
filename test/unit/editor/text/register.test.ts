import assert from 'node:assert/strict';
import { mock } from 'node:test';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/disposable.ts';
import type { TextPorts } from '../../../../src/editor/text/ports.ts';
import { registerText } from '../../../../src/editor/text/register.ts';

const nothing = () => ({ dispose() {} });

describe('the start of reading PDFs', () => {
  const view = { onDidChangeVisibility: nothing, onDidExpandElement: nothing, onDidCollapseElement: nothing };
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    Object.assign(vscode.commands, { registerCommand: nothing });
    Object.assign(vscode.window, { createTreeView: () => ({ ...view, ...nothing() }) });
  });
  afterEach(() => {
    mock.timers.reset();
    Reflect.deleteProperty(vscode.commands, 'registerCommand');
    Reflect.deleteProperty(vscode.window, 'createTreeView');
  });

  it('is tried again at the next occasion, and looks for text that was left where nobody is signed in', async () => {
    const sessions = new Emitter<void>();
    const services = { session: { kind: 'unknown' }, onDidChangeSession: sessions.event };
    let asked = 0;
    const warned: string[] = [];
    const ports = {
      services,
      log: { warn: (text: string) => warned.push(text) },
      treeDrag: { follow: nothing },
      files: { onDidChange: nothing },
      onDidRemoveLibrary: nothing,
      async hasIndex() {
        asked += 1;
        if (asked === 1) throw new Error('The disk is away.');
        return false;
      },
    } as unknown as TextPorts;
    const registered = registerText(ports);
    const occasion = async () => {
      sessions.fire();
      mock.timers.tick(5_000);
      await new Promise((resolve) => setImmediate(resolve));
    };
    await occasion();
    assert.equal(asked, 0);
    services.session = { kind: 'signedOut' };
    await occasion();
    assert.deepEqual([asked, warned.length], [1, 1]);
    await occasion();
    assert.deepEqual([asked, warned.length], [2, 1]);
    registered.dispose();
  });
});
