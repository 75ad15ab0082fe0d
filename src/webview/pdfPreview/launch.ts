interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** Starts the worker whose script the page's own HTML names. @throws Error when it can't be read */
export async function startWorker(): Promise<Worker> {
  const address = document.body.dataset.worker;
  const answer = await fetch(address ?? '');
  if (!answer.ok) throw new Error('A part of the preview could not be read. Reinstall the extension.');
  const blob = URL.createObjectURL(new Blob([await answer.text()], { type: 'text/javascript' }));
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
