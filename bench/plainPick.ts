import { join } from 'node:path';
import { type EmptyExtension, packageExtension } from './emptyExtension.ts';

const command = 'plainPick.open';
const displayName = 'Plain pick';

const script = `
const vscode = require('vscode');
const entries = Array.from({ length: 5000 }, (_, n) => ({
  label: '$(file-text) Report ' + n + ' of ' + 'abcdefghijklmnopqrstuvwxyz'[n % 26].repeat(3) + ' Works',
  description: 'Company ' + n + ' · 2020 · Sustainability Report',
  alwaysShow: true,
}));
exports.activate = ({ subscriptions }) => {
  subscriptions.push(vscode.commands.registerCommand('${command}', () => {
    const box = vscode.window.createQuickPick();
    box.title = '${displayName}';
    box.onDidChangeValue((text) => {
      const words = text.trim().toLowerCase();
      box.items = words === '' ? [] : entries.filter(({ label }) => label.toLowerCase().includes(words)).slice(0, 50);
    });
    box.onDidHide(() => box.dispose());
    box.show();
  }));
};
`;

/** Packages an extension whose quick pick answers from memory: what a key to painted results takes at least. */
export async function packagePlainPick(folder: string): Promise<EmptyExtension> {
  const contributes = { commands: [{ command, title: 'Wake', category: displayName }] };
  const manifest = { name: 'plain-pick', displayName, main: './main.js', type: 'commonjs', contributes };
  return {
    displayName,
    wake: `${displayName}: Wake`,
    vsix: await packageExtension(join(folder, 'plain-pick'), manifest, script),
  };
}
