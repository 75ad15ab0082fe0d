import { isObject } from '../../base/json.ts';
import { isListOfIds, isListOfTexts, isOptions, startsWithId } from './arguments.ts';
import type { CommandName } from './contributions.ts';

const isText = ([first]: readonly unknown[]) => typeof first === 'string';

/** How the arguments of a program look, for the commands that take some. */
export const isFromProgram: { readonly [Name in CommandName]?: (args: readonly unknown[]) => boolean } = {
  openReport: (args) => startsWithId(args) || isText(args),
  openCompany: isText,
  showCompany: isText,
  openSchema: isText,
  compareReports: isListOfIds,
  openPdf: startsWithId,
  resolveIdentifiers: isListOfTexts,
  lookupReportKeys: isListOfTexts,
  downloadReports: isListOfIds,
  insertIntoNotebook: isListOfIds,
  filterReports: isOptions,
  openTable: isOptions,
  verifyDownloads: isOptions,
  updateDownloads: isOptions,
  restoreDownloads: isOptions,
  addFavourite: (args) => isListOfIds(args) || startsWithId(args) || isText(args),
  findInPdfs: isText,
  readPdfText: isListOfIds,
  removeFavourite: (args) => isListOfIds(args) || startsWithId(args) || isText(args),
  // A menu of the preview gives where it was opened.
  addQuote: ([first]) => isObject(first) && !('webview' in first),
  openEvidence: isText,
  checkEvidence: isOptions,
};
