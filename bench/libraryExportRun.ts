// Exports the library of the first argument into the folder of the second; says how long that took, on all processors
// together too, and what it held.
import { exportLibrary } from '../src/export/exportLibrary.ts';

const [library = '', folder = ''] = process.argv.slice(2);
const began = performance.now();
const used = process.cpuUsage();
const result = await exportLibrary({ library, folder, origin: 'https://reports.example' });
const ms = performance.now() - began;
const { user, system } = process.cpuUsage(used);
const cpu = (user + system) / 1000;
process.stdout.write(JSON.stringify({ ms, cpu, megabytes: process.resourceUsage().maxRSS / 1000, ...result }));
