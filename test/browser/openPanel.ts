import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { l10n } from '../../src/base/l10n.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { Channel, type Handlers, type Side } from '../../src/base/rpc.ts';
import { type CompanyInput, companyBlocks } from '../../src/panels/company.ts';
import { type ComparedReport, compareBlocks, inReadingOrder } from '../../src/panels/compare.ts';
import { type ColumnUse, dictionaryBlocks, type LiveDictionary } from '../../src/panels/dictionary.ts';
import type { LookupEntry, ResolveEntry } from '../../src/panels/lookups.ts';
import { type ReportInput, reportBlocks } from '../../src/panels/report.ts';
import { lookupRows, resolveRows, resultsBlocks } from '../../src/panels/results.ts';
import { type UsageFacts, usageBlocks } from '../../src/panels/usage.ts';
import { type Block, blocksProtocol } from '../../src/protocol/blocks.ts';
import { type CoverageView, coverageProtocol } from '../../src/protocol/coverage.ts';
import { type TableView, tableProtocol } from '../../src/protocol/reportTable.ts';
import { sampleAbout } from '../support/panels/resolved.ts';
import { type SampleTable, sampleTable } from '../support/panels/table.ts';
import { type EditorPage, openEditorPage, type PreviewOptions } from './editorPage.ts';

/** A panel with an editor's side that notes every call and answers it. */
export interface OpenPanel<S extends Side> extends EditorPage {
  readonly calls: readonly (readonly [name: string, params?: unknown])[];
  readonly channel: Channel<Side, S>;
}

/** What the editor tells a page that is ready. */
type Show<Target extends Side> = (channel: Channel<Side, Target>) => void;

export interface Stage {
  readonly browser: Browser;
  readonly origin: string;
}

/** A panel once something of its content is drawn. */
async function drawn<S extends Side>(opened: Promise<OpenPanel<S>>, selector: string): Promise<OpenPanel<S>> {
  const panel = await opened;
  await panel.page.waitForSelector(selector);
  return panel;
}

/** A panel of these blocks, once something of them is drawn. */
function openBlocks(
  stage: Stage,
  look: string,
  blocks: readonly Block[],
  options: PreviewOptions,
  selector: string,
  answers: Readonly<Record<string, () => unknown>> = {},
) {
  const show: Show<typeof blocksProtocol.page> = (channel) => channel.send('show', { blocks });
  return drawn(open(stage, `blocks?look=${look}`, blocksProtocol, options, show, answers), selector);
}

export function openReport(
  stage: Stage,
  content: Omit<ReportInput, 'withdrawn'> & { readonly withdrawn?: boolean },
  options: PreviewOptions = {},
) {
  const blocks = reportBlocks({ withdrawn: false, ...content }, l10n.language());
  return openBlocks(stage, 'report', blocks, options, '.actions vscode-button');
}

export function openCompare(stage: Stage, compared: readonly ComparedReport[], options: PreviewOptions = {}) {
  const blocks = compareBlocks(inReadingOrder(compared), [], l10n.language());
  return openBlocks(stage, 'compare', blocks, options, 'table');
}

export function openSchema(
  stage: Stage,
  live: LiveDictionary,
  options: PreviewOptions = {},
  use: ColumnUse = { kind: 'none' },
) {
  return openBlocks(stage, 'dictionary', dictionaryBlocks(live, use), options, 'h1');
}

export function openResolved(
  stage: Stage,
  entries: readonly ResolveEntry[],
  options: PreviewOptions = {},
  answers: Readonly<Record<string, () => unknown>> = {},
) {
  const blocks = resultsBlocks('companies', resolveRows(entries), sampleAbout);
  return openBlocks(stage, 'results', blocks, options, '.row[data-row]', answers);
}

export function openLookup(stage: Stage, entries: readonly LookupEntry[], options: PreviewOptions = {}) {
  const blocks = resultsBlocks('reports', lookupRows(entries), { ...sampleAbout, writeBack: null });
  return openBlocks(stage, 'results', blocks, options, '.row[data-row]');
}

export function openCompany(stage: Stage, input: CompanyInput, options: PreviewOptions = {}) {
  const blocks = companyBlocks(input, l10n.language());
  return openBlocks(stage, 'company', blocks, options, '.actions vscode-button');
}

export function openCoverage(stage: Stage, view: CoverageView, options: PreviewOptions = {}) {
  const show: Show<typeof coverageProtocol.page> = (channel) => channel.send('show', view);
  return drawn(open(stage, 'coverage', coverageProtocol, options, show), '.grid .body .row:not([hidden])');
}

export function openUsage(stage: Stage, facts: UsageFacts, options: PreviewOptions = {}) {
  return openBlocks(stage, 'usage', usageBlocks(facts), options, 'h1');
}

/** The table of so many made-up reports, which answers for rows and selects as the editor would. */
export async function openTable(
  stage: Stage,
  count: number,
  options: PreviewOptions = {},
  changes: Partial<TableView> = {},
  answers: SampleTable['answers'] = {},
): Promise<OpenPanel<typeof tableProtocol.page> & { readonly table: SampleTable }> {
  const table = sampleTable(count, changes);
  const show: Show<typeof tableProtocol.page> = (channel) => {
    channel.send('show', table.view());
    channel.send('years', table.years);
    for (const section of table.sections) channel.send('section', section);
  };
  const given = { ...table.answers, ...answers };
  const panel = await drawn(open(stage, 'reportTable', tableProtocol, options, show, given), 'h1');
  return { ...panel, table };
}

/** Opens a page whose editor answers calls with null, or as told, and shows its content when the page is ready. */
export async function open<Host extends Side, Target extends Side>(
  { browser, origin }: Stage,
  name: string,
  protocol: { readonly host: Host; readonly page: Target },
  options: PreviewOptions,
  onReady: Show<Target>,
  answers: Readonly<Record<string, (params: never) => unknown>> = {},
): Promise<OpenPanel<Target>> {
  const editorPage = await openEditorPage(browser, `${origin}/panel/${name}`, options);
  const calls: [string, unknown?][] = [];
  const answer = (call: string) => (params: unknown) => {
    const { act, at } = (call === 'act' && 'act' in (params as object) ? params : { act: call, at: params }) as {
      act: string;
      at?: unknown;
    };
    // What a page showed before, which it tells by itself.
    if (act === 'restore') return null;
    calls.push(at === undefined ? [act] : [act, at]);
    return answers[act]?.(at as never) ?? null;
  };
  const handlers = {
    calls: Object.fromEntries(Object.keys(protocol.host.calls).map((call) => [call, answer(call)])),
    events: Object.fromEntries(
      Object.keys(protocol.host.events).map((event) => [
        event,
        event === 'ready' ? () => onReady(channel) : (data: unknown) => void calls.push([event, data]),
      ]),
    ),
  } as unknown as Handlers<Side>;
  const channel: Channel<Side, Target> = new Channel<Side, Target>({
    port: later(editorPage.port),
    mine: protocol.host,
    theirs: protocol.page,
    handlers,
    explain: String,
    log: silentLogger,
  });
  return { ...editorPage, calls, channel };
}

/** Waits until the page has made a call. */
export async function waitForCall(
  panel: { page: Page; calls: readonly (readonly [string, unknown?])[] },
  name: string,
): Promise<void> {
  const deadline = Date.now() + 20_000;
  // Each evaluation is a round trip to the page, which is what delivers its messages.
  while (!panel.calls.some(([call]) => call === name)) {
    if (Date.now() > deadline) throw new Error(`The page never called ${name}.`);
    await panel.page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
  }
}

/** Waits until the page has asked for this, last of its kind. */
export async function called(panel: Parameters<typeof waitForCall>[0], name: string, params: unknown): Promise<void> {
  await waitForCall(panel, name);
  const wanted = JSON.stringify(params);
  const last = () => JSON.stringify(panel.calls.findLast(([call]) => call === name)?.[1]);
  const deadline = Date.now() + 20_000;
  while (last() !== wanted && Date.now() < deadline)
    await panel.page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
  assert.equal(last(), wanted);
}

const axeSource = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** What axe finds wrong with the page, or with its colors alone, one line each. */
export async function axeFindings(page: Page, what: 'all' | 'colors' = 'all'): Promise<string[]> {
  // Half a megabyte of script, which stays.
  if (!(await page.evaluate('window.axe !== undefined'))) await page.evaluate(axeSource);
  // What is in order is not described: that takes many times as long as to find what is not.
  const options = {
    resultTypes: ['violations'],
    ...(what === 'colors' && { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }),
  };
  const violations = (await page.evaluate(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as axe.AxeResults['violations'];
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
  );
}

/** Delivers messages after the caller has its channel in hand, as an editor does. */
function later(port: EditorPage['port']): EditorPage['port'] {
  return {
    post: (message) => port.post(message),
    onMessage: (listener) => port.onMessage((message) => queueMicrotask(() => listener(message))),
  };
}
