import { writeFileSync } from 'node:fs';

// Loaded before the tests of a mutant: what they and their threads took of the processor, in ms, for who started them.
const { REPORT_LIBRARY_CPU: file } = process.env;
process.once('exit', () => {
  const { user, system } = process.cpuUsage();
  if (file) writeFileSync(file, String((user + system) / 1000));
});
