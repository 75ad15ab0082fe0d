// What `npm test` does twenty times, a thousand times.
process.env.KILLS ??= '1000';
await import('../unit/library/kill.test.ts');

export {};
