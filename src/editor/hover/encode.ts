import type { CommandId } from '../common/contributions.ts';

/**
 * Text without a meaning in Markdown: every sign becomes an entity, so that nothing is markup, an address that links
 * itself, or an icon. The editor's own `appendText` glues all words together, and such lines never wrap.
 */
export function markdownText(text: string): string {
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
