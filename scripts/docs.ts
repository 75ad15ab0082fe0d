import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './places.ts';
import { main } from './progress.ts';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly keybindings: readonly { readonly command: string; readonly key: string; readonly mac?: string }[];
    readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when: string }[] };
    readonly configuration: {
      readonly properties: Readonly<
        Record<
          string,
          {
            readonly default: unknown;
            readonly scope: string;
            readonly description?: string;
            readonly markdownDescription?: string;
          }
        >
      >;
    };
  };
}

type Texts = Readonly<Record<string, string | { readonly message: string }>>;

/** The guide to settings and commands as Markdown, from the manifest and its English texts. */
export function settingsAndCommands({ contributes }: Manifest, texts: Texts): string {
  const words = (text: string) => {
    const found = texts[text.replaceAll('%', '')] ?? text;
    return (typeof found === 'string' ? found : found.message).replaceAll('|', '\\|').replaceAll('\n', ' ');
  };
  const { commands, keybindings, menus, configuration } = contributes;
  const hidden = new Set(menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command));
  const keysOf = (command: string) =>
    keybindings
      .filter((binding) => binding.command === command)
      .map(({ key, mac }) => (mac ? `\`${key}\` (macOS: \`${mac}\`)` : `\`${key}\``))
      .join(', ');
  const row = ({ command, title }: Manifest['contributes']['commands'][number]) =>
    `| ${words(title)} | \`${command}\` | ${keysOf(command)} |`;
  const table = (heads: readonly string[], rows: readonly string[]) =>
    [`| ${heads.join(' | ')} |`, `|${heads.map(() => '---|').join('')}`, ...rows].join('\n');
  const settings = Object.entries(configuration.properties).map(([key, setting]) => {
    const { default: usual, scope, description, markdownDescription } = setting;
    const shown = usual === '' ? 'empty' : `\`${usual}\``;
    return `| \`${key}\` | ${shown} | ${scope === 'application' ? 'user' : 'user, workspace'} | ${words(markdownDescription ?? description ?? '')} |`;
  });
  const byTitle = commands.toSorted((a, b) => words(a.title).localeCompare(words(b.title), 'en'));
  return `# Settings and commands

This page is made from the extension's manifest by \`npm run docs\`.

## Settings

A setting for the user only can't be changed by a workspace.

${table(['Setting', 'Default', 'Where', 'Meaning'], settings)}

## Commands in the palette

Type \`Report Library\` in the command palette. Commands that need a library or a selection are listed when there is one.

${table(['Command', 'Id', 'Shortcut'], byTitle.filter(({ command }) => !hidden.has(command)).map(row))}

## Commands in views and menus

${table(['Command', 'Id', 'Shortcut'], byTitle.filter(({ command }) => hidden.has(command)).map(row))}
`;
}

/** The path of the guide below the root. */
export const guide = 'docs/settings-and-commands.md';

// Run by itself it writes the guide.
if (import.meta.main)
  await main(async () => {
    const read = async (name: string) => JSON.parse(await readFile(join(root, name), 'utf8'));
    await writeFile(join(root, guide), settingsAndCommands(await read('package.json'), await read('package.nls.json')));
    return 0;
  });
