/** The report ids in a command's arguments: a list of ids, one id, or the tree nodes of a menu. Each id once. */
export function reportIds(args: readonly unknown[]): number[] {
  return [...new Set(chosenOf(args).flatMap(idsOf))];
}

/** A menu gives the node it was opened on, and then the selection if that node is part of one. */
export function chosenOf([first, second]: readonly unknown[]): readonly unknown[] {
  return Array.isArray(second) && second.length > 0 ? second : Array.isArray(first) ? first : [first];
}

/** True for what has members. */
export function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function idsOf(value: unknown): number[] {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? [value] : [];
  if (!isRecord(value)) return [];
  if ('report' in value) return idsOf(value.report);
  return 'report_id' in value ? idsOf(value.report_id) : [];
}
