import * as z from 'zod/mini';
import { isObject } from '../../base/json.ts';
import type { ArgumentForm } from './contributions.ts';

/** The report ids in a command's arguments: a list of ids, one id, or the tree nodes of a menu. Each id once. */
export function reportIds(args: readonly unknown[]): number[] {
  return [...new Set(chosenOf(args).flatMap(idsOf))];
}

/** A menu gives the node it was opened on, and then the selection if that node is part of one. */
export function chosenOf([first, second]: readonly unknown[]): readonly unknown[] {
  return Array.isArray(second) && second.length > 0 ? second : Array.isArray(first) ? first : [first];
}

function idsOf(value: unknown): number[] {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? [value] : [];
  if (!isObject(value)) return [];
  if (typeof value.fsPath === 'string') return idsOf(ownPdfs.get(value.fsPath));
  return idsOf('report' in value ? value.report : value.report_id);
}

/** Whose PDF a file is, by its path: what file lists have shown, so that the Explorer's menu can give addresses. */
export const ownPdfs = new Map<string, number>();

/** All reports of a company, or those of one of its fiscal years; null is undated. */
interface ReportGroup {
  readonly companyKey: string;
  readonly fiscalYear?: number | null;
}

/** The companies and fiscal years among the tree nodes in a command's arguments. */
export function reportGroups(args: readonly unknown[]): ReportGroup[] {
  return chosenOf(args).flatMap((value): ReportGroup[] => {
    if (!isObject(value) || 'report' in value) return [];
    const company = companyKeyOf(value);
    if (company !== undefined) return [{ companyKey: company }];
    const { companyKey, year } = value;
    const fiscalYear = isObject(year) ? year.fiscal_year : undefined;
    const isYear = fiscalYear === null || typeof fiscalYear === 'number';
    return typeof companyKey === 'string' && isYear ? [{ companyKey, fiscalYear }] : [];
  });
}

/** The key of the company that a tree node stands for; undefined when it stands for something else. */
export function companyKeyOf(node: unknown): string | undefined {
  const company = isObject(node) ? node.company : undefined;
  const key = isObject(company) ? company.company_key : undefined;
  return typeof key === 'string' ? key : undefined;
}

/** How the first argument of a program looks. What a menu gives has a member of its own, unlike options and quotes. */
const forms: Readonly<Record<ArgumentForm, z.ZodMiniType>> = {
  id: z.number(),
  ids: z.array(z.number()),
  text: z.string(),
  texts: z.array(z.string()),
  options: z.union([z.literal(true), z.looseObject({ kind: z.optional(z.undefined()) })]),
  quote: z.looseObject({ webview: z.optional(z.undefined()) }),
};

/** True when a program ran a command that takes these forms, and not a menu or a key. */
export function isFromProgram(takes: readonly ArgumentForm[], [first]: readonly unknown[]): boolean {
  return takes.some((form) => forms[form].safeParse(first).success);
}

/** True when a program called with ids, and not a menu with the node it was opened on and the selection. */
export const isListOfIds = (args: readonly unknown[]) => isFromProgram(['ids'], args);

/** True when a program called with `true` or an object of options, and not a menu with the node it was opened on. */
export const isOptions = (args: readonly unknown[]) => isFromProgram(['options'], args);

/** True when a program called with a report's id. */
export const startsWithId = (args: readonly unknown[]) => isFromProgram(['id'], args);

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
