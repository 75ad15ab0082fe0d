import * as vscode from 'vscode';
import {
  askedWords,
  type InputOrigin,
  keptWords,
  type LookupResults,
  lookupTable,
  type ResolveEntry,
  resolveTable,
  statusOf,
} from '../../panels/lookups.ts';
import { lookupRows, type ResultsAbout, resolveRows, resultsBlocks } from '../../panels/results.ts';
import { maxKeptTexts } from '../../protocol/blocks.ts';
import { csvTable, markdownTable } from '../../protocol/format/table.ts';
import { fileName } from '../common/messages.ts';
import { type BlocksOf, showBlocks } from './blocksPanel.ts';
import type { PanelPorts } from './context.ts';
import type { OpenPanel } from './panel.ts';
import type { PanelDocument } from './panelEditors.ts';

/** Shows what became of identifiers or report keys. Split panels share the results of their document. */
export function resultsPanel(panel: OpenPanel, ports: PanelPorts, document: PanelDocument<'results'>): void {
  const { subject } = document.key;
  const title = subject === 'companies' ? vscode.l10n.t('Resolved Identifiers') : vscode.l10n.t('Report Keys');
  // After a reload of the window only the page knows what was asked.
  let restored = Promise.withResolvers<void>();
  let isRestored = false;
  const ask = async (queries: readonly string[], origin: InputOrigin, fresh = false): Promise<LookupResults> => {
    const how = { signal: panel.signal, fresh, header: origin.column?.header };
    return subject === 'companies'
      ? { subject, origin, ...(await ports.resolve(queries, how)) }
      : { subject, origin, ...(await ports.lookup(queries, how)) };
  };
  // Another panel of the same results may have been faster.
  const known = () => (document.input && 'entries' in document.input ? document.input : whole.reading.known());
  const companies = () => {
    const results = known();
    if (results.subject !== 'companies') throw new Error('These results are not about companies.');
    return results;
  };
  /** Every row that asked the same gets the answer: what differs is only where it stands. */
  const replace = (query: string, entry: ResolveEntry, requests: number) => {
    const { entries, cost, ...same } = companies();
    const replaced = entries.map((each) => (each.query === query ? entry : each));
    document.takeInput({ ...same, entries: replaced, cost: { ...cost, requests: cost.requests + requests } });
  };
  const text = (format: 'markdown' | 'csv') => {
    const results = known();
    const table = results.subject === 'companies' ? resolveTable(results.entries) : lookupTable(results.entries);
    return format === 'csv' ? csvTable(table) : markdownTable(table);
  };
  const whole: BlocksOf<LookupResults> = showBlocks(panel, {
    acts: {
      openCompany(row) {
        const entry = companies().entries[Number(row) - 1];
        const companyKey = entry ? entitledKey(entry) : null;
        if (companyKey === null) throw new Error('This company can’t be opened.');
        return panel.open({ kind: 'company', companyKey });
      },
      openReport(row) {
        const results = known();
        const entry = results.subject === 'reports' ? results.entries[Number(row) - 1] : undefined;
        const reportId = entry?.result?.report_id;
        if (reportId == null) throw new Error('This report can’t be opened.');
        return panel.open({ kind: 'report', reportId });
      },
      async refine(at) {
        const [row = 0, candidate] = [at].flat().map(Number);
        const entry = companies().entries[row - 1];
        if (!entry || entitledKey(entry) !== null) throw new Error('There is nothing to refine.');
        const asked = await ports.refine(entry, candidate === undefined ? undefined : entry.candidates?.[candidate]);
        const [refined] = asked?.entries ?? [];
        if (asked && refined && !panel.signal.aborted) replace(entry.query, refined, asked.cost.requests);
      },
      undoRefine(row) {
        const before = companies().entries[Number(row) - 1]?.refined?.before;
        if (before) replace(before.query, before, 0);
      },
      writeBack() {
        const { entries, origin } = companies();
        if (!origin.column) throw new Error('These results did not come from a CSV column.');
        return ports.writeBack(origin.column, entries);
      },
      download() {
        const { companyKeys, reportIds } = downloadsOf(known());
        return subject === 'companies' ? ports.downloadCompanies(companyKeys) : ports.downloads.offer(reportIds);
      },
      async askAgain() {
        const before = known();
        const asked = await ask(queriesOf(before), before.origin, true);
        if (panel.signal.aborted || whole.reading.content === undefined || known() !== before) return;
        document.takeInput(withRefined(asked, before));
      },
      copyAs: (format) => panel.copy(text(format === 'csv' ? 'csv' : 'markdown')),
      viewAsText: () => panel.showText(`${title}.md`, text('markdown')),
      restore(at) {
        const queries = Array.isArray(at) ? at.map(String) : [];
        if (document.input === undefined && queries.length > 0) document.input = { queries };
        isRestored = true;
        restored.resolve();
      },
    },
    async read() {
      if (document.input === undefined) await restored.promise;
      const { input } = document;
      if (input === undefined)
        throw new Error(
          vscode.l10n.t('These results are no longer available. Resolve the identifiers or report keys again.'),
        );
      const { origin = { words: null, column: null } } = input;
      const results = 'entries' in input ? input : await ask(input.queries, origin);
      if (document.input === input) document.input = results;
      return results;
    },
    blocks: (results) =>
      resultsBlocks(
        subject,
        results.subject === 'companies' ? resolveRows(results.entries) : lookupRows(results.entries),
        aboutOf(results),
      ),
    // A list that is too long to be kept can't be brought back after a reload; the panel then says so.
    keeps: (results) => (results.entries.length <= maxKeptTexts ? queriesOf(results) : []),
    follows({ kind }) {
      if (kind !== 'session') return false;
      const { input } = document;
      if (input) {
        // Another license has other answers: a new one, so that a late answer is not kept.
        const queries = 'entries' in input ? queriesOf(input) : input.queries;
        document.input = { queries, origin: input.origin };
        return 'now';
      }
      if (isRestored) return false;
      // Work that waited for the page is forgotten: the reading that follows waits in its place.
      restored = Promise.withResolvers();
      return 'now';
    },
    failed: 'Results could not be read for their panel.',
  });
  panel.setTitle(title);
  panel.store.add(document.onDidTakeInput(() => void whole.reading.read()));
}

function queriesOf({ entries }: LookupResults): string[] {
  return entries.map(({ query }) => query);
}

/** A row that a person refined stays until they undo it. */
function withRefined(asked: LookupResults, before: LookupResults): LookupResults {
  if (asked.subject !== 'companies' || before.subject !== 'companies') return asked;
  const entries = asked.entries.map((entry, index) => {
    const former = before.entries[index];
    return former?.refined ? former : entry;
  });
  return { ...asked, entries };
}

function aboutOf(results: LookupResults): ResultsAbout {
  const { subject, cost, origin } = results;
  const { companyKeys, reportIds } = downloadsOf(results);
  return {
    words: askedWords(results),
    kept: keptWords(cost, vscode.env.language),
    writeBack: subject === 'companies' && origin.column ? fileName(vscode.Uri.parse(origin.column.uri)) : null,
    canDownload: companyKeys.length + reportIds.length > 0,
  };
}

/** The companies or reports whose PDFs can be downloaded, each once. */
function downloadsOf(results: LookupResults) {
  const companyKeys = results.subject === 'companies' ? results.entries.flatMap((one) => entitledKey(one) ?? []) : [];
  const reportIds = results.subject === 'reports' ? results.entries.flatMap((one) => one.result?.report_id ?? []) : [];
  return { companyKeys: [...new Set(companyKeys)], reportIds: [...new Set(reportIds)] };
}

/** The key of the company that an entry led to and that the license covers. */
function entitledKey(entry: ResolveEntry): string | null {
  return statusOf(entry) === 'entitled' ? (entry.result?.company?.company_key ?? null) : null;
}
