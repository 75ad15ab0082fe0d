import * as vscode from 'vscode';
import type { Client } from '../../api/client.ts';
import { resolveLimit } from '../../api/endpoints/companies.ts';
import { lookupLimit } from '../../api/endpoints/reports.ts';
import {
  type IdentifierList,
  type IdentifierQuery,
  type ResolveResult,
  readResolveResults,
} from '../../api/schemas/company.ts';
import { reportTypeName } from '../../api/schemas/reportTypes.ts';
import { ApiError } from '../../api/transport/errors.ts';
import { batches } from '../../api/transport/inputs.ts';
import type { Services } from '../../app/session.ts';
import { breather, type Clock, systemClock } from '../../base/clock.ts';
import { isObject } from '../../base/json.ts';
import { cleanText } from '../../identifiers/codes.ts';
import { type IdentifierKind, maySend, type Recognized, recognize } from '../../identifiers/recognize.ts';
import { parseCompanyKey } from '../../identifiers/reportKey.ts';
import { type LibraryCompany, sortName } from '../../library/companyQuery.ts';
import type { Library, LibraryCalls } from '../../library/library.ts';
import { LibraryError } from '../../library/libraryError.ts';
import type { ReportSummary } from '../../library/reportQuery.ts';
import type { KeptAnswer } from '../../library/store.ts';
import {
  type AskCost,
  type AskHow,
  type Candidate,
  type FoundReport,
  type LookupBatch,
  type LookupEntry,
  type ResolveEntry,
  statusOf,
} from '../../panels/lookups.ts';

/**
 * Sends each text in the list that it looks like it belongs to; one entry a text, in input order (RES-1, RES-2). A text
 * that cannot be an identifier is not sent, and says why. A code in which nothing but the check digit is wrong is sent:
 * the service may hold it all the same. Answers of the last day are not asked again.
 */
export async function resolveTexts(
  services: Services,
  texts: readonly string[],
  how: AskHow = {},
): Promise<LookupBatch<ResolveEntry>> {
  const rest = breather();
  const recognized: ({ readonly text: string } & Recognized)[] = [];
  for (const text of texts) {
    recognized.push({ text, ...recognize(text, how.header) });
    await rest();
  }
  const sent: IdentifierQuery[] = recognized.filter(maySend).map(({ kind, value }) => ({ list: listOf(kind), value }));
  const {
    library,
    answers: given,
    cost,
  } = await askInUse<IdentifierQuery, ResolveResult>(services, sent, how, (call) => ({
    nameOf: ({ list, value }) => `resolve\n${list}\n${value}`,
    size: resolveLimit,
    ask: (batch) => call((client) => client.resolve(batch, { signal: how.signal, priority: 'interactive' })),
    write: wireForm,
    read: readKeptCompany,
  }));
  const answers = given.values();
  const entries = recognized.map((each): ResolveEntry => {
    const { text: query, problem } = each;
    const result = maySend(each) ? (answers.next().value ?? null) : null;
    // The wrong digit is the likeliest reason why there is no match.
    if (problem !== undefined && !(result && (result.matched || result.ambiguous)))
      return { query, result: null, problem };
    return { query, result, problem: result ? null : vscode.l10n.t('The service sent no result for this entry.') };
  });
  return {
    entries: library ? await withCandidates(library.withSignal(how.signal), entries, how.header) : entries,
    cost,
  };
}

/** More texts are not looked into: each costs a question to the library. */
const maxUndecided = 200;
/** One more than a row shows, so that it can say that there are others. */
const maxCandidates = 4;

/** Names the companies on this machine that an ambiguous text, or a name or symbol without a match, may mean. */
async function withCandidates(
  library: LibraryCalls,
  entries: readonly ResolveEntry[],
  header: string | undefined,
): Promise<ResolveEntry[]> {
  const isOpen = (entry: ResolveEntry) =>
    statusOf(entry) === 'ambiguous' ||
    (statusOf(entry) === 'unmatched' && ['name', 'symbol'].includes(recognize(entry.query, header).kind));
  const texts = [...new Set(entries.filter(isOpen).map(({ query }) => query))].slice(0, maxUndecided);
  const found = await Promise.all(texts.map((text) => companiesLike(library, text)));
  const candidates = new Map(
    texts.map((text, index) => [text, (found[index] ?? []).slice(0, maxCandidates).map(candidateOf)]),
  );
  return entries.map((entry) => ({ ...entry, candidates: isOpen(entry) ? (candidates.get(entry.query) ?? []) : [] }));
}

type KeyAnswer = NonNullable<LookupEntry['result']>;

/**
 * Looks report keys up, one entry each, in input order (LKP-1). What can be no key is not sent, and says why. Facts of
 * a report come from the library on this machine alone.
 */
export async function lookupTexts(
  services: Services,
  texts: readonly string[],
  how: AskHow = {},
): Promise<LookupBatch<LookupEntry>> {
  const read = texts.map((text) => ({ text, key: cleanText(text), problem: keyProblem(cleanText(text)) }));
  const sent = read.filter(({ problem }) => problem === null).map(({ key }) => key);
  const {
    library,
    answers: given,
    cost,
  } = await askInUse<string, KeyAnswer>(services, sent, how, (call) => ({
    nameOf: (key) => `lookup\n${key}`,
    size: lookupLimit,
    async ask(batch) {
      const found = await call((client) => client.lookup(batch, { signal: how.signal, priority: 'interactive' }));
      return found.map(({ report_id, canonical_report_key }) => ({ report_id, canonical_report_key }));
    },
    write: (found) => found,
    read: readKeptReport,
  }));
  const ids = [...new Set(given.flatMap(({ report_id }) => report_id ?? []))];
  const summaries = ids.length > 0 ? await library?.withSignal(how.signal).summaries(ids) : [];
  const known = new Map(summaries?.map((summary) => [summary.report_id, knownReport(summary)]));
  if (library) {
    const others = sent.filter((key, index) => known.get(given[index]?.report_id ?? 0)?.report_key !== key);
    await followMergedKeys(services, library.withSignal(how.signal), new Set(others.slice(0, maxUndecided)));
  }
  const answers = given.values();
  const entries = read.map(({ text, key, problem }): LookupEntry => {
    if (problem !== null) return { query: text, result: null, problem, known: null };
    const result = answers.next().value as KeyAnswer;
    return { query: key, result, problem, known: known.get(result.report_id ?? -1) ?? null };
  });
  return { entries, cost };
}

/**
 * A key that leads to another report than the one which the library lists under it was merged or renamed: by its id the
 * service says where it leads (RID-1).
 */
async function followMergedKeys(services: Services, library: LibraryCalls, keys: ReadonlySet<string>): Promise<void> {
  const { signal } = await services.library();
  for (const key of keys) {
    const held = await library.report(key);
    if (held?.state !== 'listed' || held.askedFor !== null || signal.aborted) continue;
    const { report_id: id } = held.report;
    try {
      await library.applyReport(await services.call((client) => client.report(id)), id);
    } catch (error) {
      // The answer to the lookup stands; the next sync says what became of the report.
      if (!(error instanceof ApiError || error instanceof LibraryError)) throw error;
    }
  }
}

/** @throws Error when another connection has taken the place of the one that this was made for */
type ClientCall = <T>(work: (client: Client) => Promise<T>) => Promise<T>;

/**
 * Asks with the connection in use, and ties the answers to it: what one key may see is never kept for another. Opens
 * the library only if there is something to ask.
 */
async function askInUse<Q, R>(
  services: Services,
  questions: readonly Q[],
  how: AskHow,
  askingWith: (call: ClientCall) => Asking<Q, R>,
): Promise<{ readonly answers: readonly R[]; readonly cost: AskCost; readonly library: Library | null }> {
  if (questions.length === 0)
    return { answers: [], cost: { distinct: 0, kept: 0, requests: 0, oldest: null }, library: null };
  const { library, signal } = await services.library();
  const asking = askingWith(async (work) => {
    const answer = await services.call(work);
    if (!signal.aborted) return answer;
    throw new Error(vscode.l10n.t('You signed in with another key in the meantime. Try again.'));
  });
  const { answers, ...cost } = await askKept(questions, asking, { ...how, store: library, clock: systemClock });
  return { answers, cost, library };
}

/** As the service sent it, so that what is kept is read as strictly as what arrives. */
function wireForm({ company, other, ...result }: ResolveResult): unknown {
  if (!company) return { ...other, ...result, company: null };
  const { other: more, ...known } = company;
  return { ...other, ...result, company: { ...more, ...known } };
}

function readKeptCompany(raw: unknown, query: IdentifierQuery): ResolveResult | null {
  const reading = readResolveResults({ results: [raw] }, [query]);
  return reading.ok ? (reading.value[0] ?? null) : null;
}

/** A report key is no company identifier; as a name it comes back unmatched rather than wrongly matched. */
function listOf(kind: IdentifierKind): IdentifierList {
  return kind === 'report-key' ? 'names' : `${kind}s`;
}

const maxKeyLength = 200;

/** Why a text can't be a report key; null when it may be one. Only clear cases are refused: the service knows best. */
function keyProblem(key: string): string | null {
  if (key === '') return vscode.l10n.t('The text is empty.');
  const isShaped = key.length <= maxKeyLength && !/\s/.test(key) && key.includes('_');
  return isShaped ? null : vscode.l10n.t('A report key looks like XPAR_ABCD_2024_SR.');
}

function readKeptReport(raw: unknown): KeyAnswer | null {
  if (!isObject(raw)) return null;
  const { report_id, canonical_report_key } = raw;
  if (report_id !== null && !(Number.isSafeInteger(report_id) && Number(report_id) > 0)) return null;
  if (canonical_report_key !== null && typeof canonical_report_key !== 'string') return null;
  return { report_id: report_id as number | null, canonical_report_key };
}

function knownReport(summary: ReportSummary): FoundReport {
  const { report_key, title, company_name, fiscal_year, type, has_file, state } = summary;
  const typeName = type === null ? null : reportTypeName(type);
  return { report_key, title, company_name, fiscal_year, type: typeName, has_file, withdrawn: state !== 'listed' };
}

/** How long an answer is kept, in ms: what a license holds may change, so no answer is older than a day. */
export const answerLife = 86_400_000;

/** Where answers are kept: the library of the connection that gave them. */
export type AnswerStore = Pick<LibraryCalls, 'answers' | 'keepAnswers'>;

/** How one kind of question is asked and its answers are kept. */
export interface Asking<Q, R> {
  /** Two questions with the same name are one. Never holds a key. */
  readonly nameOf: (question: Q) => string;
  /** The most that the service takes in one call. */
  readonly size: number;
  /** One answer for each question, in order. */
  ask(questions: readonly Q[]): Promise<readonly R[]>;
  /** An answer as JSON can hold it, and back; null for what can't be understood, which is then asked again. */
  write(answer: R): unknown;
  read(raw: unknown, question: Q): R | null;
}

interface AskOptions extends AskHow {
  readonly store: AnswerStore;
  readonly clock: Pick<Clock, 'now'>;
}

/** An answer that was kept, and when it was given. */
interface StoredAnswer<R> {
  readonly answer: R;
  readonly at: number;
}

/**
 * Asks each distinct question once: of what was kept for less than a day, then of the service in calls as large as it
 * takes. What a call answered is kept at once, so that going on after a cancel costs only the rest.
 * @returns the answers, in the order of the questions, and what asking took
 */
export async function askKept<Q, R>(
  questions: readonly Q[],
  asking: Asking<Q, R>,
  { store, clock, fresh = false, signal, onProgress }: AskOptions,
): Promise<AskCost & { readonly answers: readonly R[] }> {
  const { nameOf } = asking;
  const distinct = new Map(questions.map((question) => [nameOf(question), question]));
  const known = fresh ? new Map<string, StoredAnswer<R>>() : await readKept(distinct, asking, store, clock.now());
  const open = [...distinct.values()].filter((question) => !known.has(nameOf(question)));
  const answers = new Map([...known].map(([name, { answer }]) => [name, answer]));
  let requests = 0;
  onProgress?.(answers.size, distinct.size);
  for (const batch of batches(open, asking.size)) {
    signal?.throwIfAborted();
    const given = await asking.ask(batch);
    requests += 1;
    const now = clock.now();
    const kept: KeptAnswer[] = [];
    for (const [index, question] of batch.entries()) {
      const answer = given[index];
      if (answer === undefined) throw new Error(vscode.l10n.t('The response was incomplete. Try again.'));
      answers.set(nameOf(question), answer);
      kept.push({ question: nameOf(question), at: now, answer: JSON.stringify(asking.write(answer)) });
    }
    await store.keepAnswers(kept, now - answerLife);
    onProgress?.(answers.size, distinct.size);
  }
  const times = [...known.values()].map(({ at }) => at);
  return {
    answers: questions.map((question) => answers.get(nameOf(question)) as R),
    distinct: distinct.size,
    kept: known.size,
    requests,
    oldest: times.reduce<number | null>((oldest, at) => Math.min(oldest ?? at, at), null),
  };
}

async function readKept<Q, R>(
  distinct: ReadonlyMap<string, Q>,
  { read }: Asking<Q, R>,
  store: AnswerStore,
  now: number,
): Promise<Map<string, StoredAnswer<R>>> {
  const known = new Map<string, StoredAnswer<R>>();
  for (const { question: name, at, answer: text } of await store.answers([...distinct.keys()], now - answerLife + 1)) {
    const question = distinct.get(name);
    // A time to come means that the clock was set back: how old the answer is can't be told.
    if (question === undefined || at > now) continue;
    const answer = read(parsed(text), question);
    if (answer !== null) known.set(name, { answer, at });
  }
  return known;
}

/** Null for what this version did not write. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Words that are common in company names and so tell none apart: legal forms, articles, general terms. */
const common = new Set(
  `ab ag aktiengesellschaft and as asa bank banking berhad bhd bv co company corp corporation cv da das de der die do du
  et e y group groupe gruppe gmbh grupo gruppo holding holdings inc incorporated international kg kgaa la las le les llc
  limited los lp ltd ltda nv of oy oyj plc pt sa sab sarl se sas societe spa srl tbk the trust und`.split(/\s+/),
);
const maxWords = 6;
const maxPerWord = 200;

/**
 * The companies on this machine that share a significant word with a text, best matches first. They are offered to a
 * person; none is ever chosen for them (RES-2).
 */
export async function companiesLike(library: LibraryCalls, text: string): Promise<LibraryCompany[]> {
  const { kind, value } = recognize(text);
  // The market of a ticker says nothing about the company.
  const all = wordsOf(kind === 'ticker' ? value.slice(value.indexOf(':')) : text);
  const significant = all.filter((word) => word.length > 1 && !common.has(word));
  const words = (significant.length > 0 ? significant : all).slice(0, maxWords);
  const found = await Promise.all(words.map((word) => library.findCompanies(word, maxPerWord)));
  const shared = new Map<string, { readonly company: LibraryCompany; count: number }>();
  for (const [index, companies] of found.entries()) {
    for (const company of companies) {
      const { company_key, company_name, ticker } = company;
      // The index finds beginnings of words too.
      if (!wordsOf(`${company_name ?? ''} ${company_key} ${ticker ?? ''}`).includes(words[index] as string)) continue;
      const entry = shared.get(company_key) ?? { company, count: 0 };
      entry.count += 1;
      shared.set(company_key, entry);
    }
  }
  return [...shared.values()].sort((a, b) => b.count - a.count).map(({ company }) => company);
}

/** A company as a person chooses it, with the text that the service resolves to it alone. */
export function candidateOf({ company_key, company_name, lei }: LibraryCompany): Candidate {
  const parts = parseCompanyKey(company_key);
  const text = parts?.listed ? `${parts.mic}:${parts.ticker}` : (lei ?? company_key);
  return { name: company_name ?? company_key, text };
}

function wordsOf(text: string): string[] {
  return [...new Set(sortName(text.slice(0, 500)).match(/[\p{L}\p{N}]+/gu) ?? [])];
}
