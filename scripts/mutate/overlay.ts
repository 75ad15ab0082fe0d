import { registerHooks } from 'node:module';
import type { Overlay } from './run.ts';

// Loaded before anything else in a mutant's process and its threads: one module has other text there than on disk.
const { url, start, end, after } = JSON.parse(process.env.REPORT_LIBRARY_MUTANT ?? '{}') as Partial<Overlay>;

registerHooks({
  load(loaded, context, nextLoad) {
    const result = nextLoad(loaded, context);
    if (loaded.split('?')[0] !== url) return result;
    const text = typeof result.source === 'string' ? result.source : new TextDecoder().decode(result.source);
    return { ...result, source: text.slice(0, start) + after + text.slice(end) };
  },
});
