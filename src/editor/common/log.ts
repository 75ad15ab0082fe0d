import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { redact, type Secret } from '../../base/secret.ts';

/** The product's log channel. Whatever could be a credential is removed from every message. */
export interface Log extends Logger, Disposable {
  show(): void;
  /** From now on this key is cut out of every message by value, besides the patterns. */
  hide(secret: Secret): void;
}

export function createLog(): Log {
  const channel = vscode.window.createOutputChannel('Report Library', { log: true });
  const hidden: Secret[] = [];
  let isClosed = false;
  const write = (level: keyof Logger) => (message: string) => {
    // Work under way when the window closes may log; a closed channel would throw.
    if (!isClosed) channel[level](redact(message, hidden));
  };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    show: () => channel.show(),
    hide: (secret) => void hidden.push(secret),
    dispose() {
      isClosed = true;
      channel.dispose();
    },
  };
}
