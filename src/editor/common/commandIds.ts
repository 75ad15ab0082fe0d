const commandNames = [
  'signIn',
  'signOut',
  'switchConnection',
  'openDemoLibrary',
  'refresh',
  'showMenu',
  'openReport',
  'openCompany',
  'showCompany',
  'showCoverage',
  'resolveIdentifiers',
  'resolveSelection',
  'lookupReportKeys',
  'openSchema',
  'compareReports',
  'showUsage',
  'openFieldGuide',
  'downloadReports',
  'openPdf',
  'copyReportKey',
  'copySupportInformation',
  'showLog',
  'sync',
  'fullWalk',
  'find',
  'filterReports',
  'clearFilter',
  'savedFilters',
  'groupReports',
  'arrangeWatchlist',
  'markAllSeen',
  'showMore',
  'verifyDownloads',
  'updateDownloads',
  'restoreDownloads',
  'cancelDownload',
  'retryDownload',
  'revealDownload',
  'clearDownloads',
  'insertIntoNotebook',
  'exportReports',
  'copyCitation',
  'copyLink',
  'resumeDownloads',
] as const;
export type CommandName = (typeof commandNames)[number];

/** Every command of the manifest, by its name. A house test holds this list and the manifest together. */
export const commandIds = Object.fromEntries(commandNames.map((name) => [name, `reportLibrary.${name}`])) as {
  readonly [Name in CommandName]: `reportLibrary.${Name}`;
};

export type CommandId = (typeof commandIds)[CommandName];
