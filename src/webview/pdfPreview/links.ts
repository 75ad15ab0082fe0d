import { PDFLinkService } from 'pdfjs-dist/web/pdf_viewer.mjs';

/**
 * Links of a PDF. Those within it work as ever; one that leads out of it never becomes an address of the page: a click
 * tells the editor, which lets http and https through and asks the person.
 */
export class Links extends PDFLinkService {
  readonly #open: (address: string) => void;

  constructor(options: ConstructorParameters<typeof PDFLinkService>[0], open: (address: string) => void) {
    super(options);
    this.#open = open;
  }

  override addLinkAttributes(link: HTMLAnchorElement, url: string): void {
    const stop = (event: Event) => {
      event.preventDefault();
      event.stopPropagation();
    };
    link.href = '#';
    link.title = url;
    link.setAttribute('aria-label', `Link to ${url}`);
    link.addEventListener('click', (event) => {
      stop(event);
      this.#open(url);
    });
    link.addEventListener('auxclick', stop);
    link.addEventListener('dragstart', stop);
  }

  override getDestinationHash(): string {
    return '#';
  }
}
