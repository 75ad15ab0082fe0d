/** What a program may pass to a command first; `quote` is an object that no menu gives. */
export type ArgumentForm = 'id' | 'ids' | 'text' | 'texts' | 'options' | 'quote';

export interface CommandRow {
  readonly feature: string;
  readonly takes?: readonly ArgumentForm[];
  readonly ofRow?: true;
}

/**
 * Every command of the manifest: the feature that runs it, and what a program may pass first. `ofRow` is for commands
 * of rows in no view's title, which always get their row from a menu. A house test compares this with the manifest.
 */
export const commandTable = {
  downloadReports: { feature: 'downloads', takes: ['ids'], ofRow: true },
  verifyDownloads: { feature: 'downloads', takes: ['options'] },
  updateDownloads: { feature: 'downloads', takes: ['options'] },
  restoreDownloads: { feature: 'downloads', takes: ['options'] },
  cancelDownload: { feature: 'downloads', ofRow: true },
  retryDownload: { feature: 'downloads', ofRow: true },
  revealDownload: { feature: 'downloads', ofRow: true },
  clearDownloads: { feature: 'downloads' },
  resumeDownloads: { feature: 'downloads', ofRow: true },
  openPdf: { feature: 'downloads', takes: ['id'], ofRow: true },
  findInPdfs: { feature: 'text', takes: ['text'] },
  readPdfText: { feature: 'text', takes: ['ids'] },
  refreshPdfHits: { feature: 'text' },
  clearPdfHits: { feature: 'text' },
  copyPdfHitsAsMarkdown: { feature: 'text' },
  copyPdfHitsAsCsv: { feature: 'text' },
  savePdfHits: { feature: 'text' },
  openPdfHit: { feature: 'text' },
  nextPdfHit: { feature: 'text' },
  previousPdfHit: { feature: 'text' },
  pausePdfText: { feature: 'text' },
  resumePdfText: { feature: 'text' },
  cancelPdfText: { feature: 'text' },
  deletePdfText: { feature: 'text' },
  addQuote: { feature: 'evidence', takes: ['quote'] },
  copyTable: { feature: 'evidence' },
  openEvidence: { feature: 'evidence', takes: ['text'] },
  checkEvidence: { feature: 'evidence', takes: ['options'] },
  mergeEvidence: { feature: 'evidence' },
  quotePdfHit: { feature: 'evidence', ofRow: true },
  acceptEvidence: { feature: 'evidence', ofRow: true },
  downloadEvidence: { feature: 'evidence', ofRow: true },
  editEvidenceNote: { feature: 'evidence', ofRow: true },
  removeEvidence: { feature: 'evidence', ofRow: true },
  evidenceAsCsv: { feature: 'evidence' },
  insertPageText: { feature: 'evidence' },
  signIn: { feature: 'connections' },
  signOut: { feature: 'connections' },
  switchConnection: { feature: 'connections' },
  openDemoLibrary: { feature: 'connections' },
  showMenu: { feature: 'status' },
  tryNow: { feature: 'status' },
  showLog: { feature: 'status' },
  copySupportInformation: { feature: 'status' },
  sync: { feature: 'sync' },
  fullWalk: { feature: 'sync' },
  addFavourite: { feature: 'favorites', takes: ['ids', 'id', 'text'], ofRow: true },
  removeFavourite: { feature: 'favorites', takes: ['ids', 'id', 'text'], ofRow: true },
  toggleFavourite: { feature: 'favorites' },
  openCompany: { feature: 'watchlist', takes: ['text'] },
  showMore: { feature: 'watchlist' },
  refresh: { feature: 'watchlist' },
  filterReports: { feature: 'reports', takes: ['options'] },
  clearFilter: { feature: 'reports' },
  savedFilters: { feature: 'reports' },
  downloadShown: { feature: 'reports' },
  copyReportKey: { feature: 'reports', ofRow: true },
  markAllSeen: { feature: 'changes' },
  find: { feature: 'find' },
  insertFound: { feature: 'find' },
  insertIntoNotebook: { feature: 'documents', takes: ['ids'], ofRow: true },
  insertPdf: { feature: 'documents' },
  exportReports: { feature: 'documents' },
  copyCitation: { feature: 'documents', ofRow: true },
  copyLink: { feature: 'documents', ofRow: true },
  openReport: { feature: 'panels', takes: ['id', 'text'], ofRow: true },
  showReport: { feature: 'panels' },
  openSchema: { feature: 'panels', takes: ['text'] },
  showCompany: { feature: 'panels', takes: ['text'], ofRow: true },
  showCoverage: { feature: 'panels' },
  openTable: { feature: 'panels', takes: ['options'] },
  compareReports: { feature: 'panels', takes: ['ids'], ofRow: true },
  showUsage: { feature: 'panels' },
  resolveIdentifiers: { feature: 'resolve', takes: ['texts'] },
  resolveSelection: { feature: 'resolve' },
  lookupReportKeys: { feature: 'resolve', takes: ['texts'] },
  openFieldGuide: { feature: 'pdf' },
  togglePdfPreview: { feature: 'pdf' },
  copyMcpConfiguration: { feature: 'tools' },
} as const satisfies Readonly<Record<string, CommandRow>>;

export type CommandName = keyof typeof commandTable;
export type CommandFeature = (typeof commandTable)[CommandName]['feature'];
export type CommandsOf<Feature extends CommandFeature> = {
  [Name in CommandName]: (typeof commandTable)[Name]['feature'] extends Feature ? Name : never;
}[CommandName];

export const commandIds = Object.fromEntries(
  Object.keys(commandTable).map((name) => [name, `reportLibrary.${name}`]),
) as { readonly [Name in CommandName]: `reportLibrary.${Name}` };

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

/** Whether this workspace had quotes at the last check; if so, their view shows from the start. */
export const keptHint = 'reportLibrary.evidence.kept';

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
  /** Empty until the stored connection has been read. */
  'reportLibrary.session': 'signedOut' | 'signedIn' | 'keyRefused' | 'unreachable';
  /** Whether a connection is in use, also while its key is refused or the service can’t be reached. */
  'reportLibrary.signedIn': boolean;
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
