import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { main } from './progress.ts';
import { packageVsix } from './vsix.ts';

await main(async () => {
  const { file, tarball } = await packageVsix(true);
  for (const made of [file, tarball]) {
    const kilobytes = (await stat(made)).size / 1000;
    process.stdout.write(`${basename(made)}: ${kilobytes.toFixed(0)} kB\n`);
  }
  return 0;
});
