import type { Answer } from './deliver.ts';
import type { FaultAction } from './faults.ts';

/** The answer with its JSON changed, where the fault plan wants the items or the whole of it to be different. */
export function rewritten(answer: Answer, fault: FaultAction | undefined): Answer {
  const change = changeOf(fault);
  if (!change || !/json/.test(answer.headers['content-type'] ?? '')) return answer;
  const changed = change(JSON.parse(new TextDecoder().decode(answer.body)));
  return { ...answer, body: new TextEncoder().encode(JSON.stringify(changed)) };
}

function changeOf(fault: FaultAction | undefined): ((body: unknown) => unknown) | undefined {
  switch (fault?.kind) {
    case 'rewrite':
      return fault.change;
    case 'duplicate-items':
      return (body) => withItems(body, (items) => items.flatMap((item) => [item, item]));
    case 'reorder-items':
      return (body) => withItems(body, (items) => items.toReversed());
    default:
      return undefined;
  }
}

function withItems(body: unknown, change: (items: readonly unknown[]) => readonly unknown[]): unknown {
  const page = body as { data?: unknown; page_info?: Record<string, unknown> } | null;
  if (!page || !Array.isArray(page.data)) return body;
  const data = change(page.data);
  return { ...page, data, page_info: { ...page.page_info, count: data.length } };
}
