/**
 * The few words that pdf.js puts into its pages. Its own translations write HTML, which the page's policy forbids; and
 * most of them belong to tools that are not here.
 */
export const words = {
  getLanguage: () => 'en',
  getDirection: () => 'ltr',
  get: async (id: string) => id,
  async translate(element: Element): Promise<void> {
    for (const part of [element, ...element.querySelectorAll('[data-l10n-id]')]) name(part);
  },
  async translateOnce(element: Element): Promise<void> {
    name(element);
  },
  pause() {},
  resume() {},
  async destroy(): Promise<void> {},
};

/** Gives a page its name for screen readers. */
export function name(element: Element): void {
  if (element.getAttribute('data-l10n-id') !== 'pdfjs-page-landmark') return;
  const page = element.getAttribute('data-page-number');
  element.setAttribute('aria-label', `Page ${page}`);
}
