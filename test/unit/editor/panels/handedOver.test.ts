import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { fiscalYearOf } from '../../../../src/api/schemas/fields.ts';
import type { Services } from '../../../../src/app/session.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { chosenReports } from '../../../../src/editor/common/chosenReports.ts';
import { companyPanel } from '../../../../src/editor/panels/companyPanel.ts';
import { ReportPanel } from '../../../../src/editor/panels/reportPanel.ts';
import { noFavorites } from '../../../../src/favorites/favorites.ts';
import { sampleCompany } from '../../../support/panels/coverage.ts';
import { openPanel, settled } from '../../../support/panels/openPanel.ts';
import { sampleReport } from '../../../support/panels/reports.ts';

/** What the commands that a panel runs would read, on a machine that can keep no report. */
describe('the report that a panel holds', () => {
  const { executeCommand } = vscode.commands;
  let ran: { readonly name: string; readonly args: readonly unknown[] }[] = [];
  beforeEach(() => {
    ran = [];
    const note = async (name: string, ...args: unknown[]) => void ran.push({ name, args });
    Object.assign(vscode.commands, { executeCommand: note });
  });
  afterEach(() => void Object.assign(vscode.commands, { executeCommand }));

  const empty = { storedReports: async () => [], report: async () => null, withSignal: () => empty };
  const keepsNothing = { library: async () => ({ library: empty, connection: {} }) } as unknown as Services;
  const favorites = { read: async () => noFavorites };

  /** The ids that the commands were given, and those of the reports that came with them. */
  async function handedOver() {
    const chosen = await Promise.all(ran.map(({ args }) => chosenReports(args, keepsNothing)));
    return chosen.map(({ ids, inHand }, at) => [ran[at]?.name.replace('reportLibrary.', ''), ids, [...inHand.keys()]]);
  }

  for (const withdrawn of [false, true])
    it(`goes to citation, export and notebook with it${withdrawn ? ', unless it was withdrawn' : ''}`, async () => {
      const report = sampleReport();
      const { report_id: id } = report;
      const library = { report: async () => ({ report }), reports: async () => ({ items: [] }) };
      const services = { library: async () => ({ library: { withSignal: () => library } }) };
      const localReport = async () => ({ withdrawn, file: null });
      const ports = { services, log: silentLogger, localReport, favorites };
      const { panel, say, close } = openPanel();
      new ReportPanel(panel, ports as unknown as ConstructorParameters<typeof ReportPanel>[1], id);
      say({ kind: 'event', name: 'ready', data: null });
      await settled();
      for (const action of ['copyCitation', 'exportReports', 'insertIntoNotebook'])
        say({ kind: 'call', id: ran.length, name: 'act', params: { act: action } });
      await settled();
      const held = withdrawn ? [] : [id];
      assert.deepEqual(await handedOver(), [
        ['copyCitation', [id], held],
        ['exportReports', [id], held],
        ['insertIntoNotebook', [id], held],
      ]);
      assert.equal(typeof ran[2]?.args[0], 'number', 'told apart from a row, which keeps the keyboard');
      close();
    });

  it('goes from a company’s matrix to its download, without those that have no PDF', async () => {
    const report = { ...sampleReport(), report_type: 'SR', has_file: true };
    const reports = [report, { ...report, report_id: 2, has_file: false }, { ...report, report_id: 3 }];
    const year = fiscalYearOf(report);
    const stored = reports.map((one) => ({ report: one, fiscal_year: year, askedFor: null }));
    const library = {
      syncRecord: async () => ({ phase: 'following' }),
      company: async () => sampleCompany,
      reports: async () => ({ items: reports }),
      storedReports: async () =>
        stored.map((one) => ({ ...one, state: one.report.report_id === 3 ? 'withdrawn' : 'listed' })),
      withSignal: () => library,
    };
    const services = { library: async () => ({ library, engine: {} }) };
    const ports = { services, log: silentLogger, favorites, startSync() {}, localFiles: async () => new Map() };
    const { panel, say, told, close } = openPanel();
    companyPanel(panel, ports as unknown as Parameters<typeof companyPanel>[1], sampleCompany.company_key);
    say({ kind: 'event', name: 'ready', data: null });
    await settled();
    say({ kind: 'call', id: 1, name: 'act', params: { act: 'download', at: [`${year ?? 0} SR`] } });
    await settled();
    assert.deepEqual(await handedOver(), [['downloadReports', [report.report_id], [report.report_id]]], told.join());
    close();
  });

  it('is not taken from another extension', async () => {
    const report = sampleReport();
    const { ids, inHand } = await chosenReports([{ kind: 'report', report }], keepsNothing);
    assert.deepEqual([ids, inHand.size], [[report.report_id], 0]);
  });
});
