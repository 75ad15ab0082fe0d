import { join } from 'node:path';

const ours =
  /^(npm_|VSCODE_|ELECTRON_|CODE_SERVER_|REPORT_LIBRARY_)|^(NODE_OPTIONS|NODE_PATH|PORT|PASSWORD|HASHED_PASSWORD|INIT_CWD)$/i;

// code-server keeps its own logs, and VS Code a device id, below these, or in the home folder when they are not set.
const homeFolders = ['XDG_DATA_HOME', 'XDG_CACHE_HOME'] as const;

/**
 * The environment for an editor: the person's own, without what npm or an editor around us added. Left in, those would
 * open the folder in the surrounding editor, or change the port. What the editor keeps in home folders goes to `folder`.
 */
export function editorEnvironment(folder: string, extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !ours.test(name));
  const homes = homeFolders.map((name) => [name, join(folder, name.toLowerCase())]);
  return { ...Object.fromEntries(kept), ...Object.fromEntries(homes), ...extra };
}

/** Settings that give terminals inside the editor the person's own home folders back. */
export function terminalSettings(): Readonly<Record<string, unknown>> {
  const own = Object.fromEntries(homeFolders.map((name) => [name, process.env[name] ?? null]));
  return { 'terminal.integrated.env.linux': own, 'terminal.integrated.env.osx': own };
}
