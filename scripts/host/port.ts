import { once } from 'node:events';
import { createServer } from 'node:net';
import { PlainFailure } from '../progress.ts';

/** True when nothing listens on this port of the loopback address. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  } finally {
    server.close();
  }
}

/** The port that the environment variable PORT asks for, or undefined. Throws a PlainFailure when it can't be had. */
export async function wantedPort(value: string | undefined): Promise<number | undefined> {
  if (value === undefined || value === '') return undefined;
  const port = Number(value);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new PlainFailure(`PORT=${value} is not a port: give a number from 1 to 65535.`);
  }
  let free: boolean;
  try {
    free = await isFree(port);
  } catch (error) {
    throw new PlainFailure(`Port ${port} cannot be used (${(error as Error).message}): give another one with PORT=n.`);
  }
  if (!free) throw new PlainFailure(`Port ${port} is taken: end what uses it, or give another one with PORT=n.`);
  return port;
}
