import { main } from './progress.ts';
import { format, lint, types } from './test/checks.ts';
import { add, line } from './test/tally.ts';

await main(async () => {
  if (process.argv.includes('--write')) return (await format()).failed;
  const tally = add(await types(), await lint());
  process.stdout.write(`${line(tally)}\n`);
  return tally.failed === 0 ? 0 : 1;
});
