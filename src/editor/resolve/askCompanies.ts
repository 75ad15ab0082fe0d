import * as vscode from 'vscode';
import { resolveLimit } from '../../api/endpoints/companies.ts';
import {
  type IdentifierList,
  type IdentifierQuery,
  type ResolveResult,
  readResolveResults,
} from '../../api/schemas/company.ts';
import { type IdentifierKind, recognise } from '../../identifiers/recognise.ts';
import type { Asked, AskHow, ResolveEntry } from '../../protocol/resultsView.ts';
import type { Services } from '../../services.ts';
import { connectionCalls } from './connectionCalls.ts';
import { type Asking, askKept } from './keptQuestions.ts';

/**
 * Sends each text in the list that it looks like it belongs to; one entry a text, in input order (RES-1, RES-2). A text
 * that cannot be an identifier is not sent, and says why. What was answered within a day is not asked again.
 */
export async function resolveTexts(
  services: Services,
  texts: readonly string[],
  { signal, fresh, onProgress }: AskHow = {},
): Promise<Asked<ResolveEntry>> {
  const recognised = texts.map((text) => ({ text, ...recognise(text) }));
  const sent: IdentifierQuery[] = recognised
    .filter(({ problem }) => problem === undefined)
    .map(({ kind, value }) => ({ list: listOf(kind), value }));
  const { store, clock, call } = await connectionCalls(services, sent.length > 0);
  const asking: Asking<IdentifierQuery, ResolveResult> = {
    nameOf: ({ list, value }) => `resolve\n${list}\n${value}`,
    size: resolveLimit,
    ask: (batch) => call((client) => client.resolve(batch, { signal, priority: 'interactive' })),
    write: wireForm,
    read: readKept,
  };
  const asked = await askKept(sent, asking, {
    store,
    clock,
    signal,
    ...(fresh === undefined ? {} : { fresh }),
    ...(onProgress ? { onProgress } : {}),
  });
  let next = 0;
  const entries = recognised.map(({ text, problem }): ResolveEntry => {
    if (problem !== undefined) return { query: text, result: null, problem };
    const result = asked.answers[next++];
    return {
      query: text,
      result: result ?? null,
      problem: result ? null : vscode.l10n.t('The service gave no answer for it.'),
    };
  });
  return { entries, cost: asked };
}

/** As the service sent it, so that what is kept is read as strictly as what arrives. */
function wireForm({ company, other, ...result }: ResolveResult): unknown {
  if (!company) return { ...other, ...result, company: null };
  const { other: more, ...known } = company;
  return { ...other, ...result, company: { ...more, ...known } };
}

function readKept(raw: unknown, query: IdentifierQuery): ResolveResult | null {
  const reading = readResolveResults({ results: [raw] }, [query]);
  return reading.ok ? (reading.value[0] ?? null) : null;
}

/** A report key is no company identifier; as a name it comes back unmatched rather than wrongly matched. */
function listOf(kind: IdentifierKind): IdentifierList {
  return kind === 'report-key' ? 'names' : `${kind}s`;
}
