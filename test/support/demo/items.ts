import type { FaultAction } from './faults.ts';

/** A fault that changes the items of a page, and their number with them. */
function changing(change: (items: readonly unknown[]) => readonly unknown[]): FaultAction {
  return {
    kind: 'rewrite',
    change(body) {
      const page = body as { data?: unknown; page_info?: object } | null;
      if (!page || !Array.isArray(page.data)) return body;
      const data = change(page.data);
      return { ...page, data, page_info: { ...page.page_info, count: data.length } };
    },
  };
}

/** Each item of the page comes twice (CHG-3). */
export const twice: FaultAction = changing((items) => items.flatMap((item) => [item, item]));

/** The items of the page come in another order. */
export const backwards: FaultAction = changing((items) => items.toReversed());
