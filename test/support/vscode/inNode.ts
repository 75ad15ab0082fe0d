import { registerHooks } from 'node:module';

// Only the editor has `vscode`; here its place is taken by what words need.
registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier !== 'vscode') return nextResolve(specifier, context);
    return { url: new URL('api.ts', import.meta.url).href, shortCircuit: true };
  },
});
