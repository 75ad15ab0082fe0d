import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { main } from './progress.ts';
import { packageVsix } from './vsix.ts';

await main(async () => {
  const { file } = await packageVsix(true);
  const kilobytes = (await stat(file)).size / 1000;
  process.stdout.write(`${basename(file)}: ${kilobytes.toFixed(0)} kB\n`);
  return 0;
});
