declare module '*.css';

declare module 'pdfjs-dist/legacy/build/pdf.worker.min.mjs' {
  const script: string;
  export default script;
}
