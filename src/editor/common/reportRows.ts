import type { Report } from '../../api/schemas/report.ts';
import { isObject } from '../../base/json.ts';
import { runCommand } from './commands.ts';
import type { CommandName } from './contributions.ts';

/** The reports behind rows of our own making. What another extension gives in such a row is not believed. */
const handedOver = new WeakMap<object, Report>();

/** A report as a row of a tree, for a command's arguments: one that is at hand whole need not be read again. */
export function rowOf(report: Report | number): object {
  if (typeof report === 'number') return { kind: 'report', report: { report_id: report } };
  const row = { kind: 'report', report };
  handedOver.set(row, report);
  return row;
}

/** The reports that were handed over whole in these rows, by id. */
export function reportsInRows(rows: readonly unknown[]): Map<number, Report> {
  const reports = rows.flatMap((row) => (isObject(row) && handedOver.get(row)) || []);
  return new Map(reports.map((report) => [report.report_id, report]));
}

/** Does something with reports as the menu of a tree would: the person is asked and told. */
export function runOnReports(command: CommandName, reports: readonly (Report | number)[]): Promise<void> {
  const rows = reports.map(rowOf);
  return runCommand(command, rows[0], rows);
}
