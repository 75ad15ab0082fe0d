import type { Company } from '../api/schemas/company.ts';
import { l10n } from '../base/l10n.ts';
import { visibleText } from '../base/words.ts';
import type { Block, BlockRow, Inline, Target } from '../protocol/blocks.ts';
import { missingIsinCause } from '../protocol/format/facts.ts';
import {
  type Candidate,
  kindOf,
  type LookupEntry,
  type LookupStatus,
  lookupStatuses,
  lookupStatusOf,
  presentKey,
  type ResolveEntry,
  type ResolveStatus,
  type ResultsSubject,
  resolveStatuses,
  statusOf,
} from './lookups.ts';

interface StatusLook {
  readonly icon: string;
  readonly label: string;
  /** What a row says, where that is more. */
  readonly words?: string;
}

export const statusLooks: Readonly<Record<ResolveStatus | LookupStatus, StatusLook>> = {
  entitled: { icon: 'pass-filled', label: l10n.later('Matched') },
  'not-licensed': { icon: 'lock', label: l10n.later('Not in your license') },
  ambiguous: {
    icon: 'question',
    label: l10n.later('Ambiguous'),
    words: l10n.later('Ambiguous: several companies match'),
  },
  unmatched: { icon: 'circle-slash', label: l10n.later('No match') },
  malformed: { icon: 'error', label: l10n.later('Malformed') },
  found: { icon: 'pass-filled', label: l10n.later('Found') },
  renamed: { icon: 'arrow-swap', label: l10n.later('Renamed') },
  'not-found': {
    icon: 'circle-slash',
    label: l10n.later('Not found'),
    words: l10n.later('Not in your license, or no such key'),
  },
};

export interface ResultsAbout {
  /** Where the input came from and what asking cost, in words. */
  readonly words: string;
  /** Since when the oldest kept answer is kept, in words; null when all are new. */
  readonly kept: string | null;
  /** The document that the results can be written back to, by name. */
  readonly writeBack: string | null;
  /** Whether there is anything to download. */
  readonly canDownload: boolean;
}

const kindLabels: Readonly<Record<string, string>> = {
  isin: 'ISIN',
  lei: 'LEI',
  figi: 'FIGI',
  cik: 'CIK',
  ticker: l10n.later('Ticker'),
  symbol: l10n.later('Symbol'),
  name: l10n.later('Name'),
};

/** What an identifier is, in words; a kind that is not known is shown as it came. */
function kindWords(kind: string): string {
  return Object.hasOwn(kindLabels, kind) ? l10n.word(kindLabels[kind] ?? kind) : visibleText(kind);
}

/** What is asked of a row whose identifier led to no company. */
const refineWords: Readonly<Partial<Record<ResolveStatus, string>>> = {
  ambiguous: l10n.later('Refine…'),
  unmatched: l10n.later('Search Again…'),
  malformed: l10n.later('Correct…'),
};

/** More candidates are listed only when a person asks. */
const maxCandidates = 3;

/** The rows to show, in input order. Nothing is guessed: ambiguous stays ambiguous (RES-2). */
export function resolveRows(entries: readonly ResolveEntry[]): BlockRow[] {
  return entries.map((entry, index) => {
    const status = statusOf(entry);
    const number = index + 1;
    const query = visibleText(entry.query);
    const type = kindOf(entry);
    const company = status === 'entitled' ? (entry.result?.company ?? null) : null;
    // Links that repeat in rows are named by the row's identifier.
    const about = l10n.t('for “{0}”', query);
    const link = (words: string, title: string, act: string, at: Target): Inline => {
      return { link: words, name: `${words} ${about}`, title, act, at, staysInRow: true };
    };
    const refine = refineWords[status];
    const another = l10n.t('Try another identifier, such as MIC:TICKER or LEI');
    const undo = link(l10n.t('Undo'), l10n.t('Show the service’s result for “{0}”', query), 'undoRefine', number);
    const asked: Inline[] =
      entry.refined === undefined
        ? []
        : [
            {
              line: [l10n.t('looked up as'), { text: visibleText(entry.refined.text), look: 'mono' }, '·', undo],
              look: 'quiet refined',
            },
          ];
    const result = [wordsOf(entry, status), ...(refine ? [link(l10n.word(refine), another, 'refine', number)] : [])];
    const kind: Inline[] = type === null ? [] : [{ text: kindWords(type), look: 'quiet kind' }];
    return {
      ...rowOf(number, status, wordsOf(entry, status)),
      cells: [
        [String(number)],
        [{ text: query, look: 'mono' }, ...kind, ...asked],
        resultCell(status, result),
        company === null ? candidatePieces(entry.candidates ?? [], number, link) : companyPieces(company, number),
        company === null ? [] : identifierPieces(company),
      ],
    };
  });
}

function rowOf(number: number, status: ResolveStatus | LookupStatus, said: string): Omit<BlockRow, 'cells'> {
  return { id: String(number), place: number, look: status, status, said };
}

function resultCell(status: ResolveStatus | LookupStatus, pieces: readonly Inline[]): Inline[] {
  return [{ icon: statusLooks[status].icon }, { line: pieces }];
}

/** Companies that may be meant, each a link that asks for it. */
function candidatePieces(
  candidates: readonly Candidate[],
  row: number,
  link: (words: string, title: string, act: string, at: Target) => Inline,
): Inline[] {
  if (candidates.length === 0) return [];
  const more = link(l10n.t('More…'), l10n.t('Show all candidates'), 'refine', row);
  return [
    { line: [l10n.t('Which one do you mean?')], look: 'quiet' },
    ...candidates.slice(0, maxCandidates).map(({ name, text }, place) => {
      const title = l10n.t('Look up {0} instead', visibleText(text));
      const one = link(visibleText(name), title, 'refine', [row, place]);
      return { line: [one, { text: visibleText(text), look: 'quiet mono' }] };
    }),
    ...(candidates.length > maxCandidates ? [{ line: [more] }] : []),
  ];
}

function companyPieces({ company_name, company_key, country }: Company, row: number): Inline[] {
  const name = visibleText(company_name ?? company_key);
  const where: Inline[] = country === null ? [] : [visibleText(country)];
  return [
    { link: name, title: l10n.t('Open Company'), act: 'openCompany', at: row },
    { line: [{ text: visibleText(company_key), look: 'mono' }, ...where], look: 'quiet' },
  ];
}

/** A note stands where the service withholds the ISIN. */
function identifierPieces({ isin, lei, figi, cik, country }: Company): Inline[] {
  const held = Object.entries({ ISIN: isin, LEI: lei, FIGI: figi, CIK: cik }).flatMap(([name, value]): Inline[] =>
    value === null ? [] : [identifier(name, { text: visibleText(value), look: 'mono' })],
  );
  return isin === null ? [identifier('ISIN', { text: missingIsinCause(country), look: 'quiet' }), ...held] : held;
}

function identifier(name: string, value: Inline): Inline {
  return { line: [{ text: name, look: 'quiet' }, value] };
}

function wordsOf({ problem }: { readonly problem: string | null }, status: ResolveStatus | LookupStatus): string {
  if (problem !== null) return l10n.t('Malformed: {0}', visibleText(problem));
  const { label, words = label } = statusLooks[status];
  return l10n.word(words);
}

/** The rows to show, in input order. A renamed key shows the old and the new one (RID-2). */
export function lookupRows(entries: readonly LookupEntry[]): BlockRow[] {
  return entries.map((entry, index) => {
    const { known } = entry;
    const status = lookupStatusOf(entry);
    const number = index + 1;
    const gone = known?.withdrawn === true && status !== 'not-found' ? `, ${l10n.t('withdrawn since')}` : '';
    const words = `${wordsOf(entry, status)}${gone}`;
    const now: Inline[] =
      status === 'renamed'
        ? [`${words}: ${l10n.t('now')}`, { text: visibleText(presentKey(entry)), look: 'mono' }]
        : [words];
    return {
      ...rowOf(number, status, words),
      cells: [
        [String(number)],
        [{ text: visibleText(entry.query), look: 'mono' }],
        resultCell(status, now),
        reportPieces(entry, number),
        known?.company_name == null ? [] : [visibleText(known.company_name)],
      ],
    };
  });
}

function reportPieces(entry: LookupEntry, row: number): Inline[] {
  const { result, known } = entry;
  if (result?.report_id == null) return [];
  const year = known && (known.fiscal_year === null ? l10n.t('Undated') : l10n.t('Fiscal year {0}', known.fiscal_year));
  const type = known?.type == null ? null : visibleText(known.type);
  const noPdf = known && !known.has_file ? l10n.t('no PDF') : null;
  const notes = known ? [year, type, noPdf].filter((note) => note !== null) : [l10n.t('not on this computer yet')];
  return [
    { link: visibleText(known?.title ?? presentKey(entry)), title: l10n.t('Open Report'), act: 'openReport', at: row },
    { line: notes, look: 'quiet' },
  ];
}

const columnNames = {
  companies: [l10n.later('Identifier'), l10n.later('Result'), l10n.later('Company'), l10n.later('Known identifiers')],
  reports: [l10n.later('Report key'), l10n.later('Result'), l10n.later('Report'), l10n.later('Company')],
} as const;
const columnLooks = ['query', 'result', 'company', 'identifiers'] as const;

/** What became of identifiers or report keys, in input order. */
export function resultsBlocks(subject: ResultsSubject, rows: readonly BlockRow[], about: ResultsAbout): Block[] {
  const { words, kept, writeBack, canDownload } = about;
  const isCompanies = subject === 'companies';
  const again: Inline[] = kept === null ? [] : ['·', kept, { link: l10n.t('Ask Again'), act: 'askAgain', waits: true }];
  const copied = l10n.t('Copied');
  return [
    { kind: 'title', text: isCompanies ? l10n.t('Resolved Identifiers') : l10n.t('Report Keys') },
    { kind: 'line', look: 'quiet about', pieces: [words, ...again] },
    {
      kind: 'tools',
      filter: l10n.t('Filter results'),
      counts: 'results',
      none: l10n.t('Nothing matches. Show all, or clear the filter.'),
      chips: (isCompanies ? resolveStatuses : lookupStatuses).map((status) => {
        const { icon, label } = statusLooks[status];
        return { status, icon, label: l10n.word(label) };
      }),
      buttons: [
        ...(writeBack === null
          ? []
          : [
              {
                act: 'writeBack',
                icon: 'insert',
                words: l10n.t('Write Back…'),
                title: l10n.t('Add the results as new columns to {0}', writeBack),
                isMain: true,
                waits: true,
              } as const,
            ]),
        ...(canDownload
          ? [{ act: 'download', icon: 'cloud-download', words: l10n.t('Download PDFs…'), waits: true } as const]
          : []),
        { act: 'copyAs', at: 'csv', icon: 'copy', words: l10n.t('Copy as CSV'), done: copied },
        { act: 'copyAs', at: 'markdown', icon: 'copy', words: l10n.t('Copy as Markdown'), done: copied },
        { act: 'viewAsText', icon: 'list-flat', words: l10n.t('View as Text') },
      ],
    },
    {
      kind: 'table',
      look: 'rows',
      name: l10n.t('Results in input order'),
      columns: [
        { head: l10n.t('Number'), look: 'number', short: '#' },
        ...columnNames[subject].map((name, at) => {
          return { head: l10n.word(name), look: columnLooks[at] ?? '', isHeader: at === 0 };
        }),
      ],
      rows,
    },
  ];
}
