// What `npm test` does a few times, a hundred times.
process.env.SHARED_KILLS ??= '100';
await import('../service/downloads/sharedStore.test.ts');

export {};
