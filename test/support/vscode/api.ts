/**
 * The little of the editor's API that words need, for code of `src/editor/` that is tested in plain Node: strings are
 * English, as in an editor whose language has no bundle here.
 */
export const l10n = {
  t(message: string, ...args: readonly (string | number | boolean)[]): string {
    return message.replace(/\{(\d+)\}/g, (placeholder, index) => String(args[Number(index)] ?? placeholder));
  },
};

export const env = { language: 'en' };

/** Made when modules are loaded; nothing asks what is in it. */
export class ThemeColor {}
