import { posix } from 'node:path';

/** The extension's script that an editor loads at its start, in a package. */
export const entry = 'extension/dist/extension.js';

/** What the entry asks for before it runs: its files in the package, and modules that are not in it. */
export interface AtStart {
  readonly files: readonly string[];
  readonly modules: readonly string[];
}

/** Follows the entry's imports, and theirs, but for those on first use (`import()`). Throws for a file that is missing. */
export function atStart(contents: ReadonlyMap<string, Buffer>): AtStart {
  const files = new Set([entry]);
  const modules = new Set<string>();
  for (const name of files) {
    const script = contents.get(name)?.toString();
    if (script === undefined) throw new Error(`${name} is not in the package.`);
    for (const [, asked = ''] of script.matchAll(/(?:\bfrom|\bimport)\s*["']([^"']+)["']/g)) {
      if (asked.startsWith('.')) files.add(posix.join(posix.dirname(name), asked));
      else modules.add(asked);
    }
  }
  return { files: [...files], modules: [...modules].sort() };
}
