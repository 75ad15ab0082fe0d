import { callProblemOf } from '../api/schemas/problemDetails.ts';
import { isAbortError } from '../base/clock.ts';
import { DisposableStore } from '../base/disposable.ts';
import { redact } from '../base/secret.ts';
import type { CommandSpec, CommandValues } from './commands.ts';
import { type CommandContext, type CommandOutcome, readAccount } from './context.ts';
import { type ExitCode, exit, exitOf, problemMessage } from './exit.ts';
import { makeOutput } from './output.ts';

type CommandWork = (context: CommandContext) => Promise<CommandOutcome>;

const runs: Readonly<Record<string, () => Promise<CommandWork>>> = {
  restore: async () => (await import('./restore.ts')).restore,
  verify: async () => (await import('./verify.ts')).verify,
  status: async () => (await import('./verify.ts')).status,
  update: async () => (await import('./restore.ts')).update,
  download: async () => (await import('./download.ts')).download,
  sync: async () => (await import('./sync.ts')).sync,
  find: async () => (await import('./find.ts')).find,
  export: async () => (await import('./find.ts')).exportTable,
  search: async () => (await import('./search.ts')).search,
  resolve: async () => (await import('./resolve.ts')).resolve,
  'check-evidence': async () => (await import('./checkEvidence.ts')).checkEvidence,
  mcp: async () => (await import('./mcp.ts')).mcp,
  doctor: async () => (await import('./doctor.ts')).doctor,
};

/** Runs a command to its end, and says how it ended. Whatever goes wrong is told in words, never with a stack. */
export async function runCliCommand(
  { name }: CommandSpec,
  values: CommandValues,
  names: readonly string[],
  version: string,
): Promise<ExitCode> {
  const out = makeOutput(values.json === true);
  const interrupted = new AbortController();
  const onSignal = () => {
    // A second interrupt ends at once; the next run takes up what is unfinished.
    if (interrupted.signal.aborted) process.exit(exit.interrupted);
    interrupted.abort();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  const store = new DisposableStore();
  try {
    const account = await readAccount(values, process.env, process.stdin);
    const work = await runs[name]?.();
    if (!work) throw new Error(`The command ${name} has no work.`);
    const { signal } = interrupted;
    const fail = (error: Error) => interrupted.abort(error);
    const { code, document } = await work({ values, names, account, out, signal, version, store, fail });
    out.document({ command: name, exit: code, ...document });
    return code;
  } catch (failure) {
    const { aborted, reason } = interrupted.signal;
    const error: unknown = aborted ? reason : failure;
    const code = isAbortError(error) ? exit.interrupted : exitOf(error);
    const message = code === exit.interrupted ? 'Interrupted. Run it again to go on.' : redact(problemMessage(error));
    out.document({ command: name, exit: code, error: { kind: kindOf(error), message } });
    if (!out.isJson) out.warn(message);
    return code;
  } finally {
    store.dispose();
  }
}

function kindOf(error: unknown): string {
  const kind = callProblemOf(error)?.kind;
  if (kind !== undefined) return kind;
  const kinds: Readonly<Record<string, string>> = {
    ...{ UsageProblem: 'usage', KeyProblem: 'key', LockProblem: 'lock', DiskProblem: 'disk', LibraryError: 'library' },
  };
  return (error instanceof Error ? kinds[error.name] : undefined) ?? 'unexpected';
}
