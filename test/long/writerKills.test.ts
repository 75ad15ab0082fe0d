// What `npm test` does a few times, two hundred times.
process.env.WRITER_KILLS ??= '200';
await import('../service/hostile/writers.test.ts');

export {};
