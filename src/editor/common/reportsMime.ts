/** The type of reports on their way from a tree to a document: JSON of what `reportIds` and `reportGroups` read. */
export const reportsMime = 'application/vnd.report-library.reports';
