import type * as vscode from 'vscode';
import { reportGroups } from './nodeArguments.ts';
import { reportIds } from './reportArguments.ts';
import { reportsMime } from './reportsMime.ts';

/** Most PDFs that are handed over as files: whoever drags more drags a list, not files. */
const mostFiles = 50;

/** What a drag of tree nodes carries, by type: our own list, and the files among the reports, if any. */
export async function dragged(
  nodes: readonly unknown[],
  fileOf: (reportId: number) => Promise<vscode.Uri | undefined>,
): Promise<[type: string, text: string][]> {
  const ids = reportIds([nodes]);
  const groups = reportGroups([nodes]).map(({ companyKey, fiscalYear }) =>
    fiscalYear === undefined
      ? { company: { company_key: companyKey } }
      : { companyKey, year: { fiscal_year: fiscalYear } },
  );
  if (ids.length === 0 && groups.length === 0) return [];
  const list: [string, string] = [reportsMime, JSON.stringify([...ids, ...groups])];
  if (groups.length > 0 || ids.length > mostFiles) return [list];
  const files = (await Promise.all(ids.map(fileOf))).filter((uri) => uri !== undefined);
  return files.length === 0 ? [list] : [list, ['text/uri-list', files.join('\r\n')]];
}

/** The arguments that a command would get, from what a drag carried; anything else is nothing. */
export function droppedArguments(text: string): readonly unknown[] {
  const list = parsed(text);
  return Array.isArray(list) ? [list] : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Any extension may drag something under our type.
    return undefined;
  }
}
