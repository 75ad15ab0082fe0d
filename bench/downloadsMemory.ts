import { downloadByUs } from './downloadsByUs.ts';

/** Downloads in a process of its own, and prints the most memory that it took, in MB. */
const [origin = '', root = '', files = '', atOnce = '', megabytes = '', hashes = ''] = process.argv.slice(2);
const numbers = { files: Number(files), atOnce: Number(atOnce), megabytes: Number(megabytes) };
await downloadByUs({ origin, root, hashes: hashes.split(','), ...numbers });
process.stdout.write(`${process.resourceUsage().maxRSS / 1000}`);
