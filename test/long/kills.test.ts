// What `npm test` does a few times, a thousand times, and a batch cancelled at each of its steps.
process.env.KILLS ??= '1000';
await import('../service/library/kill.test.ts');
await import('../service/downloads/kill.test.ts');
await import('../unit/downloads/cancel.test.ts');

export {};
