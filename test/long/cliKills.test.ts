// What `npm test` does a few times, two hundred times.
process.env.CLI_KILLS ??= '200';
await import('../service/cli/kills.test.ts');

export {};
