import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';

/** The repository's top folder. */
export const root = dirname(dirname(import.meta.dirname));

/** One import of a source file, as written and, when it names a file of ours, as a path from the top folder. */
export interface Import {
  readonly from: string;
  readonly specifier: string;
  /** Undefined for packages, `vscode` and Node's own modules. */
  readonly file: string | undefined;
  /** Erased before anything runs. */
  readonly typeOnly: boolean;
  /** Loaded by a call, when it is needed. */
  readonly isDynamic: boolean;
}

/** Names under the top folder that match, with forward slashes, sorted. */
export async function find(...patterns: string[]): Promise<string[]> {
  const names: string[] = [];
  for await (const name of glob(patterns, { cwd: root })) names.push(name.replaceAll('\\', '/'));
  return names.sort();
}

export function text(name: string): string {
  return readFileSync(join(root, name), 'utf8');
}

// The formatter puts every import statement at the start of a line and names what it takes before `from`.
const statement = /^(?:import|export)\s+(type\s+)?[\w$*{][^'";=()]*\bfrom\s+'([^']+)'/gm;
const bare = /^import\s+'([^']+)'/gm;
const dynamic = /\bimport\(\s*'([^']+)'\s*\)/g;

/** Every import of one file: static, bare and dynamic, types included. */
export function importsOf(name: string): Import[] {
  const source = text(name);
  const make = (specifier: string, typeOnly: boolean, isDynamic = false): Import => ({
    from: name,
    specifier,
    file: specifier.startsWith('.') ? posix.join(posix.dirname(name), specifier) : undefined,
    typeOnly,
    isDynamic,
  });
  return [
    ...[...source.matchAll(statement)].map((match) => make(match[2] ?? '', match[1] !== undefined)),
    ...[...source.matchAll(bare)].map((match) => make(match[1] ?? '', false)),
    ...[...source.matchAll(dynamic)].map((match) => make(match[1] ?? '', false, true)),
  ];
}
