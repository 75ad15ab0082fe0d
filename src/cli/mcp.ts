import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onDisk } from '../files/guard.ts';
import { machineFolder } from '../machine/machineState.ts';
import { writePointer } from '../tools/pointer.ts';
import { service } from './connect.ts';
import { type CommandContext, type CommandOutcome, scriptOf } from './context.ts';
import { exit, problemMessage } from './exit.ts';
import { folderAt, lockIfThere } from './folder.ts';
import { openTexts, textPath } from './search.ts';
import { openOwnLibrary, syncLibrary } from './sync.ts';

/** Answers assistants from library, text and PDFs until the client is gone. The child has no key and no network. */
export async function mcp(context: CommandContext): Promise<CommandOutcome> {
  const { account, out, signal, store, version } = context;
  const connected = await service(context).get();
  const own = await openOwnLibrary(context, connected);
  const { path, library } = own;
  if (account.isDemo) await syncLibrary(context, connected, own, false);
  else if ((await library.syncRecord()).phase !== 'following')
    out.warn('The library on this computer is not loaded whole. Run report-library sync: answers follow it.');
  await library.dispose();
  const pointer = join(machineFolder(), 'mcp', `${process.pid}.json`);
  const folders = [folderAt(context)];
  await onDisk(async () => writePointer(pointer, { version: 1, library: path, text: textPath(), folders }));
  store.add({ dispose: () => rmSync(pointer, { force: true }) });
  const child = spawn(process.execPath, [fileURLToPath(scriptOf('tools/mcp')), pointer, version], { stdio: 'inherit' });
  signal.addEventListener('abort', () => child.kill());
  const exited = once(child, 'exit') as Promise<[number | null]>;
  await readUnasked(context);
  const [code] = await exited;
  return { code: code === 0 || signal.aborted ? exit.same : exit.differs, document: {} };
}

/** Has the PDFs of the folder read that nobody read yet, while questions are answered. A failure ends nothing. */
async function readUnasked(context: CommandContext): Promise<void> {
  try {
    const lock = await lockIfThere(context);
    if (lock) await openTexts(context, lock.reports, true);
  } catch (error) {
    context.out.warn(`PDFs could not be read for search: ${problemMessage(error)}`);
  }
}
