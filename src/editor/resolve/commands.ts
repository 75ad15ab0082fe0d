import * as vscode from 'vscode';
import type { ResolveResult } from '../../api/schemas/company.ts';
import { isObject } from '../../base/json.ts';
import { countText } from '../../base/words.ts';
import { recognise } from '../../identifiers/recognise.ts';
import type { AskHow, LookupResults, ResolveEntry } from '../../protocol/resultsView.ts';
import type { Services } from '../../services.ts';
import type { CommandRun } from '../common/commands.ts';
import { withCountedProgress } from '../common/progress.ts';
import { lookupTexts, resolveTexts } from './ask.ts';
import { askForInput, type Input, selectedInput, typedInput } from './input.ts';

export interface ResolveContext {
  readonly services: Services;
  showResults(results: LookupResults): Promise<void>;
}

/** The commands of this feature: a program gives texts and gets results, a person says where they are and sees them. */
export function resolveCommands(context: ResolveContext) {
  const { services } = context;
  return {
    async resolveIdentifiers(given: unknown) {
      if (!Array.isArray(given)) return show(context, shownInput(given) ?? (await askForInput()));
      return plainResults((await resolveWithProgress(services, given.map(String))).entries);
    },

    resolveSelection: async () => show(context, await selectedInput(vscode.window.activeTextEditor)),

    async lookupReportKeys(given: unknown) {
      if (!Array.isArray(given)) return show(context, await askForInput());
      const { entries } = await lookupWithProgress(services, given.map(String));
      return entries.map(({ result }, index) => ({
        report_key: String(given[index]),
        report_id: result?.report_id ?? null,
      }));
    },
  } satisfies Record<string, CommandRun>;
}

/** A link on one identifier, or a panel that gives some, shows what became of them, as if they had been typed. */
function shownInput(given: unknown): Input | undefined {
  if (typeof given === 'string') return typedInput([given]);
  if (!isObject(given) || !Array.isArray(given.identifiers)) return undefined;
  return typedInput(given.identifiers.map(String));
}

/** More rows would hold up the editor and their panel. */
const maxTexts = 50_000;

/** Shows what became of the texts: identifiers led to companies, report keys to reports. */
async function show({ services, showResults }: ResolveContext, input: Input | undefined): Promise<undefined> {
  if (!input) return undefined;
  const { texts, origin } = input;
  if (texts.length > maxTexts)
    throw new Error(
      vscode.l10n.t('Too many entries: {0}. Choose up to {1}.', countText(texts.length), countText(maxTexts)),
    );
  const keys = texts.filter(isReportKey);
  const others = texts.filter((text) => !isReportKey(text));
  if (keys.length > 0) await showResults({ subject: 'reports', origin, ...(await lookupWithProgress(services, keys)) });
  if (others.length > 0)
    await showResults({
      subject: 'companies',
      origin,
      ...(await resolveWithProgress(services, others, { header: origin.column?.header })),
    });
  return undefined;
}

function isReportKey(text: string): boolean {
  return recognise(text).kind === 'report-key';
}

/** Resolves with a progress that counts, and a cancel. */
export function resolveWithProgress(services: Services, texts: readonly string[], how: AskHow = {}) {
  return counting(vscode.l10n.t('Resolving identifiers'), how, (all) => resolveTexts(services, texts, all));
}

/** The same for report keys. */
export function lookupWithProgress(services: Services, texts: readonly string[], how: AskHow = {}) {
  return counting(vscode.l10n.t('Looking up report keys'), how, (all) => lookupTexts(services, texts, all));
}

function counting<T>(title: string, how: AskHow, work: (how: AskHow) => Promise<T>): Promise<T> {
  return withCountedProgress(title, (cancelled, onProgress) => {
    const signal = how.signal ? AbortSignal.any([how.signal, cancelled]) : cancelled;
    return work({ ...how, signal, onProgress });
  });
}

/** The results as a program gets them: every input has one, a malformed text counts as unmatched. */
function plainResults(
  entries: readonly ResolveEntry[],
): Pick<ResolveResult, 'query' | 'identifier_type' | 'matched' | 'entitled' | 'ambiguous' | 'company'>[] {
  return entries.map(({ query, result }) => ({
    query,
    identifier_type: result?.identifier_type ?? recognise(query).kind,
    matched: result?.matched ?? false,
    entitled: result?.entitled ?? null,
    ambiguous: result?.ambiguous ?? false,
    company: result?.company ?? null,
  }));
}
