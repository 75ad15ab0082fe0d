import * as vscode from 'vscode';
import { fewestCompared, mostCompared } from '../../protocol/compare.ts';
import { isListOfIds, reportIds } from '../common/arguments.ts';

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
    count === 1
      ? vscode.l10n.t(
          'Between {0} and {1} reports can be compared; 1 is chosen. Choose again.',
          fewestCompared,
          mostCompared,
        )
      : vscode.l10n.t(
          'Between {0} and {1} reports can be compared; {2} are chosen. Choose again.',
          fewestCompared,
          mostCompared,
          count,
        ),
  );
}
