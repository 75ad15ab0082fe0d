// What `npm test` does with sixty PDFs, with five hundred.
process.env.HOSTILE_PDFS ??= '500';
await import('../service/text/hostile.test.ts');

export {};
