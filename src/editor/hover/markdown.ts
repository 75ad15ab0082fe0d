import * as vscode from 'vscode';
import { oneLine } from '../../protocol/format/visibleText.ts';
import { type CommandId, commandIds } from '../common/contributions.ts';
import { type CommandCall, commandUri, markdownText } from './encode.ts';

/** What links in hovers may run: they show something, and nothing else. */
const enabledCommands: readonly CommandId[] = [
  commandIds.openReport,
  commandIds.showCompany,
  commandIds.openSchema,
  commandIds.resolveIdentifiers,
];

const longestText = 200;

/** Text of the service or of a document: escaped, one line, and no link in it works. */
export class PlainMarkdown {
  readonly markdown = new vscode.MarkdownString();

  text(text: string): this {
    this.markdown.appendMarkdown(markdownText(oneLine(text, longestText)));
    return this;
  }

  bold(text: string): this {
    this.markdown.appendMarkdown('**');
    this.text(text);
    this.markdown.appendMarkdown('**');
    return this;
  }

  /** As code; what could end the code span is left out. */
  code(text: string): this {
    const safe = oneLine(text, longestText).replaceAll('`', '');
    if (safe !== '') this.markdown.appendMarkdown(`\`${safe}\``);
    return this;
  }

  /** Ours, as Markdown. */
  ours(markdown: string): this {
    this.markdown.appendMarkdown(markdown);
    return this;
  }

  /** Parts that are known, with dots between. */
  dotted(parts: readonly (string | null | undefined)[]): this {
    return this.text(parts.filter((part) => part !== null && part !== undefined && part !== '').join(' · '));
  }
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
