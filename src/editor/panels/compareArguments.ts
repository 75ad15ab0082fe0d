import { fewestCompared, mostCompared } from '../../protocol/compare.ts';
import { isListOfIds } from '../common/programArguments.ts';
import { reportIds } from '../common/reportArguments.ts';

/**
 * The reports that a command's arguments name. A program names them all; from a menu there may be too few, and then
 * the person is asked for the rest.
 * @throws Error when there are more than can be compared, or a program names too few
 */
export function reportsToCompare(args: readonly unknown[]): { readonly ids: number[]; readonly isWhole: boolean } {
  const ids = reportIds(args);
  const isWhole = ids.length >= fewestCompared;
  if (ids.length > mostCompared || (!isWhole && isListOfIds(args))) throw wrongNumber(ids.length);
  return { ids, isWhole };
}

/** Says how many reports can be compared. */
export function wrongNumber(count: number): Error {
  return new Error(
    `Between ${fewestCompared} and ${mostCompared} reports can be compared; ${count} ${count === 1 ? 'is' : 'are'} chosen. Choose again.`,
  );
}
