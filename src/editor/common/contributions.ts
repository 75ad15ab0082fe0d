export const downloadsCommands = [
  'downloadReports',
  'verifyDownloads',
  'updateDownloads',
  'restoreDownloads',
  'cancelDownload',
  'retryDownload',
  'revealDownload',
  'clearDownloads',
  'resumeDownloads',
  'openPdf',
  'showReport',
  'insertPdf',
] as const;

export const textCommands = [
  'findInPdfs',
  'readPdfText',
  'refreshPdfHits',
  'clearPdfHits',
  'copyPdfHitsAsMarkdown',
  'copyPdfHitsAsCsv',
  'savePdfHits',
  'openPdfHit',
  'nextPdfHit',
  'previousPdfHit',
  'pausePdfText',
  'resumePdfText',
  'cancelPdfText',
  'deletePdfText',
] as const;

export const evidenceCommands = [
  'addQuote',
  'copyTable',
  'openEvidence',
  'checkEvidence',
  'mergeEvidence',
  'quotePdfHit',
  'acceptEvidence',
  'downloadEvidence',
  'editEvidenceNote',
  'removeEvidence',
  'evidenceAsCsv',
  'insertPageText',
] as const;

const commandNames = [
  ...downloadsCommands,
  ...textCommands,
  ...evidenceCommands,
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
  'openTable',
  'resolveIdentifiers',
  'resolveSelection',
  'lookupReportKeys',
  'openSchema',
  'compareReports',
  'showUsage',
  'tryNow',
  'openFieldGuide',
  'togglePdfPreview',
  'copyReportKey',
  'copySupportInformation',
  'showLog',
  'sync',
  'fullWalk',
  'find',
  'insertFound',
  'filterReports',
  'clearFilter',
  'savedFilters',
  'markAllSeen',
  'showMore',
  'insertIntoNotebook',
  'exportReports',
  'copyCitation',
  'copyLink',
  'downloadShown',
  'addFavourite',
  'removeFavourite',
  'toggleFavourite',
  'copyMcpConfiguration',
] as const;
export type CommandName = (typeof commandNames)[number];

/** Commands of rows that are in no view's title. From a row's menu they always get the row. */
export const rowCommands: ReadonlySet<CommandName> = new Set([
  'acceptEvidence',
  'addFavourite',
  'cancelDownload',
  'compareReports',
  'copyCitation',
  'copyLink',
  'copyReportKey',
  'downloadEvidence',
  'downloadReports',
  'editEvidenceNote',
  'insertIntoNotebook',
  'openPdf',
  'openReport',
  'quotePdfHit',
  'removeEvidence',
  'removeFavourite',
  'resumeDownloads',
  'retryDownload',
  'revealDownload',
  'showCompany',
]);

/** Every command of the manifest, by its name. A house test holds this list and the manifest together. */
export const commandIds = Object.fromEntries(commandNames.map((name) => [name, `reportLibrary.${name}`])) as {
  readonly [Name in CommandName]: `reportLibrary.${Name}`;
};

export type CommandId = (typeof commandIds)[CommandName];

export const viewIds = {
  watchlist: 'reportLibrary.watchlist',
  reports: 'reportLibrary.reports',
  changes: 'reportLibrary.changes',
  downloads: 'reportLibrary.downloads',
  pdfHits: 'reportLibrary.pdfHits',
  evidence: 'reportLibrary.evidence',
} as const;

/** The custom editors of our pages. */
export const panelViewTypes = {
  report: 'reportLibrary.reportPanel',
  schema: 'reportLibrary.schemaPanel',
  compare: 'reportLibrary.comparePanel',
  usage: 'reportLibrary.usagePanel',
  results: 'reportLibrary.resolvePanel',
  company: 'reportLibrary.companyPanel',
  coverage: 'reportLibrary.coveragePanel',
  table: 'reportLibrary.tablePanel',
} as const;

/** The read-only PDF preview. It claims only PDFs below a folder named `reports`. */
export const pdfPreviewType = 'reportLibrary.pdfPreview';

/** The argument of a command's key in our trees: the command is about the selected rows. */
export const selectedRows = 'selectedRows';

export const usageItemId = 'reportLibrary.usage';

/** Every secret of ours begins so; the part after it tells the index from the connections. */
export const secretPrefix = 'reportLibrary.connection';

/** What the editor's Accounts menu knows our connections by. */
export const authenticationId = 'reportLibrary';

/** Settings that only the user can set, each with a value of its type; a workspace's value is never read (AUTH-4). */
export const applicationSettings = {
  'reportLibrary.baseUrl': '',
  'reportLibrary.authentication': 'bearer' as 'bearer' | 'x-api-key',
  'reportLibrary.requestsPerSecond': 8,
  'reportLibrary.demo.openAtStart': false,
  'reportLibrary.sync.automatic': true,
  'reportLibrary.sync.intervalMinutes': 30,
  'reportLibrary.sync.fullWalkDays': 7,
  'reportLibrary.pdfText.enabled': true,
  'reportLibrary.downloads.sharedStore': '',
  'reportLibrary.assistants.downloadsPerWindow': 10,
  'reportLibrary.assistants.downloadsPerDay': 50,
};

/** Settings that a trusted workspace or folder may set. */
export const resourceSettings = {
  'reportLibrary.downloads.folder': '',
  'reportLibrary.downloads.path': '',
  'reportLibrary.hover.enabled': true,
  'reportLibrary.notebook.language': 'auto' as 'auto' | 'python' | 'r',
};

/** Context keys that menus and welcome texts look at. */
export interface ContextKeyTypes {
  /** The extension has started: until then no other key is set. */
  'reportLibrary.active': true;
  /** Empty until the stored connection has been read. */
  'reportLibrary.session': 'signedOut' | 'signedIn' | 'keyRefused' | 'unreachable';
  /** Whether the library in use was read to its end once: before that, nothing to show yet is not nothing to show. */
  'reportLibrary.loaded': boolean;
  'reportLibrary.hasConnections': boolean;
  /** Whether a stored connection other than the current one exists. */
  'reportLibrary.canSwitch': boolean;
  /** Whether a row is selected in one of the trees. */
  'reportLibrary.hasSelection': boolean;
  'reportLibrary.filtered': boolean;
  /** The paths of our PDFs that a file list has shown. */
  'reportLibrary.pdfs': readonly string[];
  /** True for a moment after a page without an input opened, as the walkthrough is one. */
  'reportLibrary.pageOpened': boolean;
  /** Why the text of PDFs has nothing to show, or `ready`. */
  'reportLibrary.pdfText': 'signedOut' | 'off' | 'none' | 'ready';
  /** What is done about PDFs that were not read yet. */
  'reportLibrary.pdfReading': 'idle' | 'reading' | 'paused';
  /** Whether Find in PDFs was used in this window: from then on its view is in the editor's panel. */
  'reportLibrary.findsInPdfs': true;
  'reportLibrary.pdfHits': boolean;
  /** Whether F4 goes on in that answer: it was used after the editor's own lists of places. */
  'reportLibrary.walksPdfHits': boolean;
  /** Whether the Evidence view has something to show: since the first quote or check. */
  'reportLibrary.evidence': boolean;
  'reportLibrary.finding': boolean;
  /** What has been done in this window, however it was done: each ticks a step of the walkthrough. */
  'reportLibrary.didRead': true;
  'reportLibrary.didDownload': true;
  'reportLibrary.didInsert': true;
}
