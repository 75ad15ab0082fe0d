import { extname } from 'node:path';

/** A script of a thread or a process, by its place below `src`; bundled too, this module is in a folder beside that. */
export function scriptOf(name: string): URL {
  return new URL(`../${name}${extname(import.meta.url)}`, import.meta.url);
}
