import { dirname, join } from 'node:path';

/** The repository's top folder. */
export const root: string = dirname(import.meta.dirname);

/** Ignored folder that holds editors, browsers, profiles and workspace copies; safe to delete at any time. */
export const cache: string = join(root, '.vscode-test');

/** Where the command line lies that the service tests run, from the top folder. */
export const cliForTests = '.vscode-test/cli';

/** Ignored folder for what a failed or photographed run leaves behind. */
export const results: string = join(root, 'test-results');
