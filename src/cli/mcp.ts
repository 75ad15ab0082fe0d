import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onDisk } from '../downloads/disk.ts';
import { machineFolder } from '../machine/place.ts';
import { writePointer } from '../tools/pointer.ts';
import { service } from './connect.ts';
import { type CommandContext, type CommandOutcome, scriptOf } from './context.ts';
import { exit } from './exit.ts';
import { folderAt } from './folder.ts';
import { textPath } from './search.ts';
import { openOwnLibrary, syncLibrary } from './sync.ts';

/**
 * Answers assistants from the library of the command line, its text and the PDFs of the folder, until the client is
 * gone. The process that answers has no key and never contacts the service.
 */
export async function mcp(context: CommandContext): Promise<CommandOutcome> {
  const { account, signal, store, version } = context;
  const connected = await service(context).get();
  const { path, library } = await openOwnLibrary(context, connected);
  if (account.isDemo) await syncLibrary(context, connected, library, false);
  await library.dispose();
  const pointer = join(machineFolder(), 'mcp', `${process.pid}.json`);
  const folders = [folderAt(context)];
  await onDisk(async () => writePointer(pointer, { version: 1, library: path, text: textPath(), folders }));
  store.add({ dispose: () => rmSync(pointer, { force: true }) });
  const child = spawn(process.execPath, [fileURLToPath(scriptOf('tools/mcp')), pointer, version], { stdio: 'inherit' });
  signal.addEventListener('abort', () => child.kill());
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code: code === 0 || signal.aborted ? exit.same : exit.differs, document: {} };
}
