/**
 * Stands where pdf.js would put its translations: they write HTML, which the page's policy forbids, and most of them
 * belong to tools that are not here. The few words of the pages come from the engine.
 */
export const noTranslations = {
  getLanguage: () => 'en',
  getDirection: () => 'ltr',
  get: async (id: string) => id,
  async translate(): Promise<void> {},
  async translateOnce(): Promise<void> {},
  pause() {},
  resume() {},
  async destroy(): Promise<void> {},
};
