import * as vscode from 'vscode';
import { escapeMarkdown } from '../../notebook/markdown.ts';
import { type CommandId, commandIds } from '../common/contributions.ts';

/** What links in hovers may run: they show something, and nothing else. */
const enabledCommands: readonly CommandId[] = [
  commandIds.openReport,
  commandIds.showCompany,
  commandIds.openSchema,
  commandIds.resolveIdentifiers,
];

/** The known parts, escaped, with dots between. */
export function dotted(parts: readonly (string | null | undefined)[]): string {
  return escapeMarkdown(parts.filter((part) => part !== null && part !== undefined && part !== '').join(' · '));
}

/** The paragraphs that are not empty. Any text of others in them is escaped. */
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
