import { isObject } from '../../base/json.ts';

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

/** True when a program called with ids, and not a menu with the node it was opened on and the selection. */
export function isListOfIds([first]: readonly unknown[]): boolean {
  return Array.isArray(first) && first.every((value) => typeof value === 'number');
}

/** True when a program called with `true` or an object of options, and not a menu with the node it was opened on. */
export function isOptions([first]: readonly unknown[]): boolean {
  return first === true || (isObject(first) && !('kind' in first));
}

/** True when a program called with texts: identifiers, report keys. */
export function isListOfTexts([first]: readonly unknown[]): boolean {
  return Array.isArray(first) && first.every((value) => typeof value === 'string');
}

/** True when a program called with a report's id. */
export function startsWithId([first]: readonly unknown[]): boolean {
  return typeof first === 'number';
}
