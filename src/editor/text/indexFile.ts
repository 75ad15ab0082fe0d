import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { App } from '../../app/app.ts';
import { pagesName } from '../../text/pagesName.ts';
import type { TextIndex } from '../../text/textIndex.ts';

/** The file of the text of PDFs, which all windows share. */
export interface IndexFile {
  exists(): Promise<boolean>;
  open(): Promise<TextIndex>;
}

export function indexFile({ extension, log }: Pick<App, 'extension' | 'log'>): IndexFile {
  const path = join(extension.globalStorageUri.fsPath, 'text', pagesName);
  const { extensionPath } = extension;
  return {
    exists: () =>
      access(path).then(
        () => true,
        () => false,
      ),
    async open() {
      const { openTextIndex } = await import('../../text/textIndex.ts');
      return openTextIndex({
        path,
        worker: pathToFileURL(join(extensionPath, 'dist', 'text', 'text.worker.js')),
        reader: join(extensionPath, 'dist', 'text', 'reader.worker.js'),
        logger: log,
      });
    },
  };
}
