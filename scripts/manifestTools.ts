import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { downloadTool } from '../src/tools/downloadReports.ts';
import { tools } from '../src/tools/tools.ts';
import { root } from './places.ts';

const icons: Readonly<Record<string, string>> = {
  ...{
    find_companies: 'organization',
    find_reports: 'list-filter',
    read_report: 'info',
    explain_field: 'symbol-field',
  },
  ...{ list_changes: 'history', search_pages: 'search', read_pages: 'file-pdf', verify_quote: 'verified' },
  download_reports: 'cloud-download',
};

/** What the manifest contributes of the tools, as the table has them; words for people are placeholders. */
export function manifestTools() {
  return [...tools, downloadTool].map(({ name, description, inputSchema }) => {
    const short = name.slice('reportlibrary_'.length);
    return {
      name,
      displayName: `%tool.${short}%`,
      userDescription: `%tool.${short}.description%`,
      modelDescription: description,
      toolReferenceName: short.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      canBeReferencedInPrompt: true,
      icon: `$(${icons[short] ?? 'book'})`,
      tags: ['report-library', 'reports', ...(name === downloadTool.name ? [] : ['read-only'])],
      inputSchema,
    };
  });
}

// Run by itself it writes them into the manifest.
if (import.meta.main) {
  const file = join(root, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as { contributes: Record<string, unknown> };
  manifest.contributes.languageModelTools = manifestTools();
  await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`);
}
