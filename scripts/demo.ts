// `npm run demo`: the demo service alone, for curl, notebooks and other clients. Runs until Ctrl-C.
import { parseArgs } from 'node:util';
import { startDemoService } from '../src/demo/service.ts';
import { seeded } from '../test/support/demo/generated.ts';
import { shapedBy, type VariantName, variantNames, variants } from '../test/support/demo/variants.ts';

const usage = `Serves the demo library on this computer until Ctrl-C.

  npm run demo -- [options]

  --port N               listen on this port (default: any free one)
  --rpm N                requests a minute that the key may make (default 600)
  --companies N          licensed companies, 1 to 49998 (default 24)
  --settling-seconds N   how long a change stays out of the change feed (default 900)
  --variant NAME         how to read what the interface leaves open: ${variantNames.join(', ')}
  --live                 the catalog changes by itself every few minutes
  --help                 this text
`;

function stop(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

function readFlags() {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = { port: text, rpm: text, companies: text, 'settling-seconds': text, variant: text };
  try {
    return parseArgs({ options: { ...options, live: flag, help: flag } }).values;
  } catch (error) {
    return stop(`${error instanceof Error ? error.message : error}\nRun it with --help to see what it takes.`);
  }
}

const flags = readFlags();
if (flags.help) {
  process.stdout.write(usage);
  process.exit(0);
}

function whole(name: 'port' | 'rpm' | 'companies' | 'settling-seconds', min: number, max: number) {
  const text = flags[name];
  if (text === undefined) return undefined;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) stop(`--${name} takes a whole number from ${min} to ${max}, not "${text}".`);
  return value;
}

function variant() {
  const name = flags.variant ?? 'plain';
  if (Object.hasOwn(variants, name)) return variants[name as VariantName];
  return stop(`--variant takes one of ${variantNames.join(', ')}, not "${name}".`);
}

const shaped = shapedBy(variant());
const options = {
  port: whole('port', 0, 65_535),
  requestsPerMinute: whole('rpm', 1, 1_000_000_000),
  ...seeded(whole('companies', 1, 49_998) ?? 24),
  settlingSeconds: whole('settling-seconds', 0, 86_400),
  liveSeconds: flags.live ? 180 : undefined,
};
const service = await startDemoService(options, () => ({ outside: (_, next) => next(), inside: shaped })).catch(
  (error: unknown) => {
    return stop(error instanceof Error ? error.message : String(error));
  },
);

process.stdout.write(`The demo library is served until you press Ctrl-C.

  Base URL  ${service.baseUrl}
  API key   ${service.key.reveal()}

Try it:
  curl -H "Authorization: Bearer ${service.key.reveal()}" "${service.baseUrl}/reports?limit=2"
`);

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    service.dispose().then(() => process.exit(0));
  });
}
