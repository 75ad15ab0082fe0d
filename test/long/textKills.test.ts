// What `npm test` does a few times, two hundred times.
process.env.KILLS ??= '200';
await import('../service/text/kill.test.ts');

export {};
