import * as vscode from 'vscode';
import type { Event } from '../../base/disposable.ts';
import {
  type AskCost,
  type AskHow,
  askedWords,
  type InputOrigin,
  keptWords,
  type LookupBatch,
  type LookupEntry,
  lookupTable,
  type ResolveEntry,
  type ResultsSubject,
  resolveTable,
  statusOf,
} from '../../panels/lookups.ts';
import { lookupRows, type ResultsAbout, resolveRows, resultsBlocks } from '../../panels/results.ts';
import { type BlockRow, maxKeptTexts } from '../../protocol/blocks.ts';
import { csvTable, markdownTable } from '../../protocol/format/table.ts';
import { fileName } from '../common/messages.ts';
import { type BlocksOf, showBlocks } from './blocksPanel.ts';
import type { PanelPorts } from './context.ts';
import type { OpenPanel } from './panel.ts';
import type { PanelDocument } from './panelEditors.ts';

type ResultsPanelPorts = Pick<
  PanelPorts,
  'resolve' | 'lookup' | 'refine' | 'writeBack' | 'downloadCompanies' | 'offerDownload'
>;

interface Results<Entry> {
  readonly entries: readonly Entry[];
  readonly cost: AskCost;
  readonly origin: InputOrigin;
}

/** Where the results stand beside their panels: what one of them learns, one that is split off shows too. */
interface Held<Entry> {
  /** Results at hand, or texts to ask for first. */
  input:
    | Results<Entry>
    | { readonly queries: readonly string[]; readonly origin?: InputOrigin | undefined }
    | undefined;
  readonly onDidTakeInput: Event<void>;
  /** Every panel of the results shows these. */
  takeInput(results: Results<Entry>): void;
}

export function resultsPanel(panel: OpenPanel, ports: ResultsPanelPorts, document: PanelDocument<'results'>): void {
  // The address says which of the two it is, and `open` lets no other results in.
  if (document.key.subject === 'companies')
    showResults(panel, ports, companySubject(ports), document as Held<ResolveEntry>);
  else showResults(panel, ports, reportSubject(ports), document as Held<LookupEntry>);
}

function showResults<Entry extends ResolveEntry | LookupEntry>(
  panel: OpenPanel,
  ports: ResultsPanelPorts,
  subject: SubjectOf<Entry>,
  held: Held<Entry>,
): void {
  // After a reload of the window only the page knows what was asked.
  let restored = Promise.withResolvers<void>();
  let isRestored = false;
  // Another panel of the same results may have been faster.
  const known = () => (held.input && 'entries' in held.input ? held.input : whole.reading.known());
  const companies = () => {
    if (subject.subject !== 'companies') throw new Error('These results are not about companies.');
    return known().entries as readonly ResolveEntry[];
  };
  /** Every row that asked the same gets the answer: what differs is only where it stands. */
  const replace = (query: string, entry: ResolveEntry, requests: number) => {
    const { entries, cost, origin } = known();
    const replaced = entries.map((each) => (each.query === query ? (entry as Entry) : each));
    held.takeInput({ entries: replaced, cost: { ...cost, requests: cost.requests + requests }, origin });
  };
  const text = (format: 'markdown' | 'csv') => {
    const table = subject.table(known().entries);
    return format === 'csv' ? csvTable(table) : markdownTable(table);
  };
  const whole: BlocksOf<Results<Entry>> = showBlocks(panel, {
    acts: {
      openCompany(row) {
        const entry = companies()[Number(row) - 1];
        const companyKey = entry ? entitledKey(entry) : null;
        if (companyKey === null) throw new Error('This company can’t be opened.');
        return panel.open({ kind: 'company', companyKey });
      },
      openReport(row) {
        const entry = known().entries[Number(row) - 1] as LookupEntry | undefined;
        const reportId = subject.subject === 'reports' ? entry?.result?.report_id : null;
        if (reportId == null) throw new Error('This report can’t be opened.');
        return panel.open({ kind: 'report', reportId });
      },
      async refine(at) {
        const [row = 0, candidate] = [at].flat().map(Number);
        const entry = companies()[row - 1];
        if (!entry || entitledKey(entry) !== null) throw new Error('There is nothing to refine.');
        const asked = await ports.refine(entry, candidate === undefined ? undefined : entry.candidates?.[candidate]);
        const [refined] = asked?.entries ?? [];
        if (asked && refined && !panel.signal.aborted) replace(entry.query, refined, asked.cost.requests);
      },
      undoRefine(row) {
        const before = companies()[Number(row) - 1]?.refined?.before;
        if (before) replace(before.query, before, 0);
      },
      writeBack() {
        const { column } = known().origin;
        if (!column) throw new Error('These results did not come from a CSV column.');
        return ports.writeBack(column, companies());
      },
      download: () => subject.download(known().entries),
      async askAgain() {
        const before = known();
        const { column } = before.origin;
        const how = { signal: panel.signal, fresh: true, header: column?.header };
        const asked = await subject.ask(queriesOf(before), how);
        if (panel.signal.aborted || whole.reading.content === undefined || known() !== before) return;
        // A row that a person refined stays until they undo it.
        const refined = (entry: Entry | undefined) => (entry && 'refined' in entry ? entry : undefined);
        const entries = asked.entries.map((entry, index) => refined(before.entries[index]) ?? entry);
        held.takeInput({ ...asked, entries, origin: before.origin });
      },
      copyAs: (format) => panel.copy(text(format === 'csv' ? 'csv' : 'markdown')),
      viewAsText: () => panel.showText(`${subject.title}.md`, text('markdown')),
      restore(at) {
        const queries = Array.isArray(at) ? at.map(String) : [];
        if (held.input === undefined && queries.length > 0) held.input = { queries };
        isRestored = true;
        restored.resolve();
      },
    },
    async read() {
      if (held.input === undefined) await restored.promise;
      const { input } = held;
      if (input === undefined)
        throw new Error(
          vscode.l10n.t('These results are no longer available. Resolve the identifiers or report keys again.'),
        );
      const results =
        'entries' in input
          ? input
          : {
              ...(await subject.ask(input.queries, { signal: panel.signal, header: input.origin?.column?.header })),
              origin: input.origin ?? { words: null, column: null },
            };
      if (held.input === input) held.input = results;
      return results;
    },
    blocks: (results) => resultsBlocks(subject.subject, subject.rows(results.entries), aboutOf(subject, results)),
    // A list that is too long to be kept can't be brought back after a reload; the panel then says so.
    keeps: ({ entries }) => (entries.length <= maxKeptTexts ? entries.map(({ query }) => query) : []),
    follows({ kind }) {
      if (kind !== 'session') return false;
      const { input } = held;
      if (input) {
        // Another license has other answers: a new one, so that a late answer is not kept.
        const queries = 'entries' in input ? queriesOf(input) : input.queries;
        held.input = { queries, origin: input.origin };
        return 'now';
      }
      if (isRestored) return false;
      // Work that waited for the page is forgotten: the reading that follows waits in its place.
      restored = Promise.withResolvers();
      return 'now';
    },
    failed: 'Results could not be read for their panel.',
  });
  panel.setTitle(subject.title);
  panel.store.add(held.onDidTakeInput(() => void whole.reading.read()));
}

function queriesOf({ entries }: Results<ResolveEntry | LookupEntry>): string[] {
  return entries.map(({ query }) => query);
}

function aboutOf<Entry>(
  { subject, canDownload }: SubjectOf<Entry>,
  { entries, cost, origin }: Results<Entry>,
): ResultsAbout {
  const { column } = origin;
  return {
    words: askedWords({ subject, entries, cost, origin } as unknown as Parameters<typeof askedWords>[0]),
    kept: keptWords(cost, vscode.env.language),
    writeBack: subject === 'companies' && column !== null ? fileName(vscode.Uri.parse(column.uri)) : null,
    canDownload: entries.some((entry) => canDownload(entry)),
  };
}

interface SubjectOf<Entry> {
  readonly subject: ResultsSubject;
  readonly title: string;
  ask(queries: readonly string[], how: AskHow): Promise<LookupBatch<Entry>>;
  rows(entries: readonly Entry[]): readonly BlockRow[];
  /** The names of the columns, then a row each. */
  table(entries: readonly Entry[]): string[][];
  canDownload(entry: Entry): boolean;
  /** Offers what of these can be downloaded; a person confirms the plan. */
  download(entries: readonly Entry[]): Promise<void>;
}

function companySubject(ports: ResultsPanelPorts): SubjectOf<ResolveEntry> {
  return {
    subject: 'companies',
    title: vscode.l10n.t('Resolved Identifiers'),
    ask: (queries, how) => ports.resolve(queries, how),
    rows: resolveRows,
    table: resolveTable,
    canDownload: (entry) => entitledKey(entry) !== null,
    download: (entries) => ports.downloadCompanies([...new Set(entries.flatMap((entry) => entitledKey(entry) ?? []))]),
  };
}

function reportSubject(ports: ResultsPanelPorts): SubjectOf<LookupEntry> {
  return {
    subject: 'reports',
    title: vscode.l10n.t('Report Keys'),
    ask: (queries, how) => ports.lookup(queries, how),
    rows: lookupRows,
    table: lookupTable,
    canDownload: ({ result }) => result?.report_id != null,
    download: (entries) => ports.offerDownload([...new Set(entries.flatMap(({ result }) => result?.report_id ?? []))]),
  };
}

/** The key of the company that an entry led to and that the license covers. */
function entitledKey(entry: ResolveEntry): string | null {
  return statusOf(entry) === 'entitled' ? (entry.result?.company?.company_key ?? null) : null;
}
