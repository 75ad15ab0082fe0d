import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { manifestTools } from '../../scripts/manifestTools.ts';
import {
  applicationSettings,
  type CommandRow,
  commandIds,
  commandTable,
  resourceSettings,
  viewIds,
} from '../../src/editor/common/contributions.ts';
import { downloadTool } from '../../src/tools/downloadReports.ts';
import { tools } from '../../src/tools/tools.ts';
import { find, root, text } from './sources.ts';

interface Manifest {
  readonly main: string;
  readonly icon?: string;
  readonly engines: { readonly vscode: string };
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly activationEvents?: readonly string[];
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly category: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly icon?: string }[]>>;
    readonly menus: Readonly<Record<string, readonly { readonly command?: string; readonly when?: string }[]>>;
    readonly languageModelTools: readonly { readonly displayName: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, { readonly scope: string }>> };
  };
}

const manifest = JSON.parse(text('package.json')) as Manifest;
const { contributes } = manifest;
const sorted = (names: Iterable<string>) => [...names].sort();

describe('the manifest', () => {
  it('names the commands that the code knows', () => {
    const named = contributes.commands.map(({ command }) => command);
    assert.deepEqual(sorted(named), sorted(Object.values(commandIds)));
  });

  it('puts every command into one category', () => {
    assert.deepEqual(sorted(new Set(contributes.commands.map(({ category }) => category))), ['Report Library']);
  });

  it('has the commands of rows that the code expects a row for', () => {
    const commandsIn = (menu: string) =>
      new Set((contributes.menus[menu] ?? []).flatMap(({ command }) => command ?? []));
    const [inRows, inTitles] = [commandsIn('view/item/context'), commandsIn('view/title')];
    const ofRows = Object.entries<CommandRow>(commandTable).flatMap(([name, { ofRow }]) =>
      ofRow ? [`reportLibrary.${name}`] : [],
    );
    const expected = [...inRows].filter((command) => !inTitles.has(command));
    assert.deepEqual(sorted(ofRows), sorted(expected));
  });

  it('shows only commands in menus that exist', () => {
    const shown = Object.values(contributes.menus).flatMap((entries) => entries.map(({ command }) => command));
    const known = new Set<string | undefined>(Object.values(commandIds));
    assert.deepEqual(
      shown.filter((command) => command !== undefined && !known.has(command)),
      [],
    );
  });

  it('offers a row with a star whatever it offers without one', () => {
    const rows = ['company', 'report.withFile', 'report.withoutFile', 'report.downloaded', 'report.gone'];
    const entries = (contributes.menus['view/item/context'] ?? []).filter(
      ({ command = '' }) => !/\.(add|remove)Favourite$/.test(command),
    );
    const isOffered = (when: string, row: string) => {
      const [, equal, pattern] = /viewItem (?:== ([\w.]+)|=~ \/((?:[^/\\]|\\.)+)\/)/.exec(when) ?? [];
      return equal === undefined ? new RegExp(pattern ?? '^$').test(row) : equal === row;
    };
    const offeredTo = (row: string) => entries.filter(({ when = '' }) => isOffered(when, row));
    for (const row of [...rows, 'change.listed', 'change.gone']) {
      assert.ok(offeredTo(row).length > 2, row);
      assert.deepEqual(offeredTo(`${row}.starred`), offeredTo(row), row);
    }
  });

  it('names the views that the code knows', () => {
    const named = Object.values(contributes.views).flatMap((views) => views.map(({ id }) => id));
    assert.deepEqual(sorted(named), sorted(Object.values(viewIds)));
  });

  it('names the settings that the code knows, in the scope that the code expects', () => {
    const { properties } = contributes.configuration;
    const inScope = (...scopes: string[]) =>
      sorted(Object.keys(properties).filter((key) => scopes.includes(properties[key]?.scope ?? '')));
    const [ours, theirs] = [Object.keys(applicationSettings), Object.keys(resourceSettings)];
    assert.deepEqual(inScope('application'), sorted(ours));
    assert.deepEqual(inScope('resource', 'window'), sorted(theirs));
    assert.equal(Object.keys(properties).length, ours.length + theirs.length);
  });

  it('starts nothing before it is needed', () => {
    // The editor opens files of these languages by itself in every window: its settings, logs, input boxes.
    const everywhere = ['plaintext', 'json', 'jsonc', 'log'].map((language) => `onLanguage:${language}`);
    const events = manifest.activationEvents ?? [];
    assert.ok(events.includes('onLanguage:python'));
    assert.deepEqual(
      events.filter((event) => ['*', 'onLanguage', 'onStartupFinished', ...everywhere].includes(event)),
      [],
    );
  });

  it('types against the oldest editor that it promises', () => {
    assert.equal(manifest.devDependencies['@types/vscode'], manifest.engines.vscode);
  });

  it('has words for every placeholder, and no words that nothing uses', async () => {
    const used = new Set([...text('package.json').matchAll(/"%([^%"]+)%"/g)].map((match) => match[1]));
    for (const name of await find('package.nls*.json')) {
      const words = Object.keys(JSON.parse(text(name)) as Record<string, string>);
      assert.deepEqual(sorted(words), sorted(used as Set<string>), name);
    }
  });

  it('offers the tools of the table, with an icon and words for people, to models and in prompts', () => {
    const words = JSON.parse(text('package.nls.json')) as Record<string, string>;
    assert.deepEqual(contributes.languageModelTools, manifestTools(), 'Run `npm run manifest:tools`.');
    assert.deepEqual(
      [...tools, downloadTool].map(({ title }) => title),
      contributes.languageModelTools.map(({ displayName }) => words[displayName.slice(1, -1)]),
    );
  });

  it('names pictures that exist', () => {
    const pictures = [...text('package.json').matchAll(/"(media\/[^"]+)"/g)].map((match) => match[1] ?? '');
    assert.ok(pictures.length > 0);
    assert.deepEqual(
      pictures.filter((name) => !existsSync(join(root, name))),
      [],
    );
  });
});
