import { plainText } from '../base/words.ts';
import { juliaCode } from './juliaCode.ts';
import type { CodeLanguage } from './literals.ts';
import { pythonCode } from './pythonCode.ts';
import { rCode } from './rCode.ts';

/** Downloaded reports that a code cell loads. */
export interface LoadedReports {
  readonly reports: readonly { readonly report_id: number; readonly report_key: string }[];
  /** The downloads folder relative to the workspace folder, or an absolute one; parts separated by `/`. */
  readonly folder: string;
  /** True in a notebook, where the last expression of a cell is shown. */
  readonly shown: boolean;
}

const writers = { python: pythonCode, r: rCode, julia: juliaCode } as const;

/**
 * Code that finds the lock file upwards from wherever it runs, checks each PDF's SHA-256, and gives path and metadata.
 * It runs by itself; several reports are a loop. Texts of the service appear in comments of one line only.
 */
export function loadingCode(language: CodeLanguage, loaded: LoadedReports): string {
  return writers[language](loaded, (text) => plainText(text, 100));
}

/** The language of a cell or file that we can write; undefined for any other. */
export function codeLanguage(languageId: string): CodeLanguage | undefined {
  const id = languageId.toLowerCase();
  return id === 'python' || id === 'r' || id === 'julia' ? id : undefined;
}
