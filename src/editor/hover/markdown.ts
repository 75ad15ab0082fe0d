import * as vscode from 'vscode';
import { oneLine } from '../../base/words.ts';
import { type CommandId, commandIds } from '../common/contributions.ts';

/** What links in hovers may run: they show something, and nothing else. */
const enabledCommands: readonly CommandId[] = [
  commandIds.openReport,
  commandIds.showCompany,
  commandIds.openSchema,
  commandIds.resolveIdentifiers,
];

const maxText = 200;

/** Text of the service or of a document for Markdown: escaped, one line, and no link in it works. */
export function escapedLine(text: string): string {
  return markdownEntities(oneLine(text, maxText));
}

export function bold(text: string): string {
  return `**${escapedLine(text)}**`;
}

/** The same as code; what could end the code span is left out. */
export function code(text: string): string {
  const safe = oneLine(text, maxText).replaceAll('`', '');
  return safe === '' ? '' : `\`${safe}\``;
}

/** The same of parts that are known, with dots between. */
export function dotted(parts: readonly (string | null | undefined)[]): string {
  return escapedLine(parts.filter((part) => part !== null && part !== undefined && part !== '').join(' · '));
}

/** Paragraphs, those that are empty left out. Whatever in them is not ours has gone through one of the above. */
export function paragraphs(...texts: readonly string[]): vscode.MarkdownString {
  return new vscode.MarkdownString(texts.filter((text) => text !== '').join('\n\n'));
}

/** A link that runs one of our commands. The title is ours; the argument is encoded to the last character. */
export interface CommandLink extends CommandCall {
  readonly title: string;
}

/** Links in a string of their own, which holds no text but ours and may therefore run our commands. */
export function linkLine(links: readonly CommandLink[]): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(
    links.map(({ title, ...link }) => `[${title}](${commandUri(link)})`).join(' · '),
  );
  markdown.isTrusted = { enabledCommands };
  return markdown;
}

/**
 * Text without a meaning in Markdown: every sign becomes an entity, so that nothing is markup, an address that links
 * itself, or an icon. The editor's own `appendText` glues all words together, and such lines never wrap.
 */
export function markdownEntities(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** A command and the one argument it is run with. */
export interface CommandCall {
  readonly command: CommandId;
  readonly argument: string | number;
}

/** The address of a command with its argument, with nothing in it that means something in Markdown. */
export function commandUri({ command, argument }: CommandCall): string {
  const text = JSON.stringify([typeof argument === 'string' ? argument.toWellFormed() : argument]);
  const encoded = encodeURIComponent(text).replace(
    /[!'()*~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `command:${command}?${encoded}`;
}
