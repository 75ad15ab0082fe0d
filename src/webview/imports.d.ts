declare module '*.css';

declare module '*.ttf' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}

declare module 'pdfjs-dist/legacy/build/pdf.worker.min.mjs' {
  const script: string;
  export default script;
}
