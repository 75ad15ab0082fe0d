import type { Logger } from '../../base/logger.ts';
import type { CommandName } from './commandIds.ts';
import { isListOfIds, isListOfTexts, isOptions, startsWithId, startsWithText } from './programArguments.ts';
import { plainError, showProblem } from './showProblem.ts';

/** How the arguments of a program look, for the commands that take some. */
const fromProgram: { readonly [Name in CommandName]?: (args: readonly unknown[]) => boolean } = {
  openReport: (args) => startsWithId(args) || startsWithText(args),
  openCompany: startsWithText,
  showCompany: startsWithText,
  openSchema: startsWithText,
  compareReports: isListOfIds,
  openPdf: startsWithId,
  resolveIdentifiers: isListOfTexts,
  lookupReportKeys: isListOfTexts,
  downloadReports: isListOfIds,
  insertIntoNotebook: isListOfIds,
  filterReports: isOptions,
  verifyDownloads: isOptions,
  updateDownloads: isOptions,
  restoreDownloads: isOptions,
};

/** Rejects towards a program; shows the problem to a person. */
export function commandFailed(name: CommandName, args: readonly unknown[], error: unknown, log: Logger): undefined {
  if (fromProgram[name]?.(args)) throw plainError(error);
  showProblem(error, log);
  return undefined;
}
