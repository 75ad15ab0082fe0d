import { dirname, join } from 'node:path';

/** The repository's top folder. */
export const root: string = dirname(import.meta.dirname);

/** Ignored folder that holds editors, browsers, profiles and workspace copies; safe to delete at any time. */
export const cache: string = join(root, '.vscode-test');

/** Ignored folder for what a failed or photographed run leaves behind. */
export const results: string = join(root, 'test-results');
