// A script of its own, before the one of the page: the PDF worker starts while that one loads.
import script from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs' with { type: 'text' };

declare global {
  /** The worker that reads PDFs; none where its script could not be had. */
  var pdfWorker: Worker | undefined;
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** From a blob, because a worker's script has to be of the page's origin. */
function start(): Worker {
  const blob = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('reportLibraryPdf', { createScriptURL: (url) => url });
  try {
    return new Worker(policy?.createScriptURL(blob) ?? blob, { type: 'module' });
  } finally {
    // The worker has its script by then, or has asked for it.
    setTimeout(() => URL.revokeObjectURL(blob), 60_000);
  }
}

globalThis.pdfWorker = start();
