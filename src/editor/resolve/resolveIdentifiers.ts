import * as vscode from 'vscode';
import type { IdentifierList, IdentifierQuery, ResolveResult } from '../../api/schemas/resolve.ts';
import { type IdentifierKind, recognise } from '../../identifiers/recognise.ts';
import type { ResolveEntry } from '../../protocol/resolveView.ts';
import type { Services } from '../../services.ts';
import { withCancellableProgress } from '../common/progress.ts';

/** Resolves what a program gave and returns the results, or what the user types and shows them. */
export async function resolveCommand(
  services: Services,
  argument: unknown,
  show: (entries: readonly ResolveEntry[]) => Promise<void>,
): Promise<ReturnType<typeof plainResults> | undefined> {
  const given = Array.isArray(argument) ? argument.map(String) : undefined;
  const texts = given ?? (await askForIdentifiers());
  if (!texts) return undefined;
  const entries = await withCancellableProgress('Resolving identifiers', (signal) =>
    resolveTexts(services, texts, signal),
  );
  if (given) return plainResults(entries);
  await show(entries);
  return undefined;
}

/** Asks for identifiers in an input box; undefined when the user leaves. */
async function askForIdentifiers(): Promise<string[] | undefined> {
  const text = await vscode.window.showInputBox({
    title: 'Resolve Identifiers',
    prompt: 'ISIN, LEI, FIGI, CIK, MIC:TICKER or a company name; several separated by a comma or a semicolon.',
    placeHolder: 'XETR:ALBM, DEMO00AARHORNPHARM41, Thornwick',
    validateInput: (value) => (splitIdentifiers(value).length === 0 ? 'Enter at least one identifier.' : undefined),
  });
  return text === undefined ? undefined : splitIdentifiers(text);
}

/** One identifier per piece; commas, semicolons, tabs and line breaks separate. */
function splitIdentifiers(text: string): string[] {
  return text
    .split(/[,;\t\r\n]+/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
}

/**
 * Sends each text in the list that it looks like it belongs to; one entry a text, in input order (RES-1, RES-2). A text
 * that cannot be an identifier is not sent, and says why.
 */
export async function resolveTexts(
  services: Services,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<ResolveEntry[]> {
  const recognised = texts.map((text) => ({ text, ...recognise(text) }));
  const sent: IdentifierQuery[] = recognised
    .filter(({ problem }) => problem === undefined)
    .map(({ kind, value }) => ({ list: listOf(kind), value }));
  const results =
    sent.length === 0 ? [] : await services.call((client) => client.resolve(sent, { signal, priority: 'interactive' }));
  let next = 0;
  return recognised.map(({ text, problem }) => {
    if (problem !== undefined) return { query: text, result: null, problem };
    const result = results[next++];
    return { query: text, result: result ?? null, problem: result ? null : 'The service gave no answer for it.' };
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

/** A report key is no company identifier; as a name it comes back unmatched rather than wrongly matched. */
function listOf(kind: IdentifierKind): IdentifierList {
  return kind === 'report-key' ? 'names' : `${kind}s`;
}
