import { packageExtension } from './emptyExtension.ts';

/** What the status bar says once the extension host is at rest. */
export const atRest = 'Extension host at rest';

// Of the processor's time, not of the clock's: a machine that others use as well is told from a host that still works.
const script = `
const vscode = require('vscode');
const windowMs = 250;
const most = 0.04;
const stillNeeded = 4;
exports.activate = ({ subscriptions }) => {
  let still = 0;
  let last = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    still = (user + system) / 1000 <= windowMs * most ? still + 1 : 0;
    if (still < stillNeeded) return;
    clearInterval(timer);
    const item = vscode.window.createStatusBarItem();
    item.text = '${atRest}';
    item.show();
    subscriptions.push(item);
  }, windowMs);
  subscriptions.push({ dispose: () => clearInterval(timer) });
};
`;

/**
 * Packages an extension that starts when everything else that starts with a window has, and says {@link atRest} once
 * the host uses next to none of its processor's time for a second. What is woken before that waits for its turn, and
 * the editor counts the waiting as activation.
 */
export function packageRestExtension(place: string): Promise<string> {
  const activationEvents = ['onStartupFinished'];
  const manifest = { name: 'rest', displayName: 'Rest', type: 'commonjs', main: './main.js', activationEvents };
  return packageExtension(place, manifest, script);
}
