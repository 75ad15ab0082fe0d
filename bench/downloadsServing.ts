import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The file host of the benchmarks, while it runs. */
export interface FileServer {
  readonly origin: string;
  /** Where the strict service is. */
  readonly strictOrigin: string;
  /** Of the few different files, in turn by report id. */
  readonly hashes: readonly string[];
  end(): void;
}

/** Starts it in a process of its own, with so many different files. */
export async function serveFiles(megabytes: number, variants = 8): Promise<FileServer> {
  const script = fileURLToPath(new URL('downloadsServer.ts', import.meta.url));
  const child = spawn(process.execPath, ['--no-warnings', script, `${megabytes}`, `${variants}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(child.stdout), 'line');
  const { port, strictPort, hashes } = JSON.parse(String(line));
  const origin = `http://127.0.0.1:${port}`;
  return { origin, strictOrigin: `http://127.0.0.1:${strictPort}`, hashes, end: () => void child.stdin.end() };
}
