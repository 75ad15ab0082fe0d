// What `npm test` does a few times, a hundred times.
process.env.SHARED_KILLS ??= '100';
await import('../unit/downloads/sharedStore.test.ts');

export {};
