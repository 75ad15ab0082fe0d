import { isObject } from '../../base/json.ts';
import { reportGroups, reportIds } from './arguments.ts';

/** What a drag of tree nodes carries under our type; undefined when no report is among them. */
export function dragged(nodes: readonly unknown[]): string | undefined {
  const groups = reportGroups([nodes]).map(({ companyKey, fiscalYear }) =>
    fiscalYear === undefined
      ? { company: { company_key: companyKey } }
      : { companyKey, year: { fiscal_year: fiscalYear } },
  );
  const list = [...reportIds([nodes]), ...groups];
  return list.length === 0 ? undefined : JSON.stringify(list);
}

/** What a drag carries of pages that a search found, and of rows of evidence; of any other node nothing. */
export function draggedQuotes(nodes: readonly unknown[]): readonly object[] {
  return nodes.filter(isObject).flatMap(({ kind, found, record }): object[] => {
    if (isObject(record)) return [{ id: record.id }];
    return kind === 'hit' && isObject(found) ? [{ kind, found }] : [];
  });
}

/** The arguments that a command would get, from what a drag carried; anything else is nothing. */
export function droppedArguments(text: string): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? [list] : [];
  } catch {
    // Any extension may drag something under our type.
    return [];
  }
}
