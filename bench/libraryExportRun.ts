// Exports the library of the first argument into the folder of the second; says how long that took and what it held.
import { exportLibrary } from '../src/export/exportLibrary.ts';

const [library = '', folder = ''] = process.argv.slice(2);
const began = performance.now();
const result = await exportLibrary({ library, folder, origin: 'https://reports.example' });
const ms = performance.now() - began;
process.stdout.write(JSON.stringify({ ms, megabytes: process.resourceUsage().maxRSS / 1000, ...result }));
