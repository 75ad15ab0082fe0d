// Reads PDFs away from the page. Started as a blob (see launch.ts), because a worker's script has to be of the page's origin.
import './newer.ts';
import 'pdfjs-dist/build/pdf.worker.mjs';
