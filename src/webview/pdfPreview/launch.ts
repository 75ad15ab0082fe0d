interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** Starts a worker from our own script. */
export function startWorker(script: string): Worker {
  const blob = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  try {
    return new Worker(trusted(blob), { type: 'module' });
  } finally {
    // The worker has its script by then, or has asked for it.
    setTimeout(() => URL.revokeObjectURL(blob), 60_000);
  }
}

/** Only a blob that was made from our own file becomes a script. */
function trusted(blob: string): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  if (!trustedTypes) return blob;
  return trustedTypes.createPolicy('reportLibraryPdf', { createScriptURL: (url) => url }).createScriptURL(blob);
}
