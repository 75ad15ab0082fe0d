import type { ShownColumn } from '../../protocol/reportTable.ts';
import { movedColumns, sized } from './columns.ts';

interface HandleEvents {
  columns(): readonly ShownColumn[];
  /** They look so while somebody pulls at them; `isDone` when it is let go. */
  change(columns: ShownColumn[], isDone: boolean): void;
  /** The place that a column would be dropped at; undefined when none is being moved. */
  dropping(at: number | undefined): void;
}

/** How far the pointer moves before a press becomes a drag, in px. */
const slop = 5;

/** Lets the pointer size columns by their edges, and move them by their heads. */
export function handleColumns(grid: HTMLElement, { columns, change, dropping }: HandleEvents): void {
  let isPulled = false;
  grid.addEventListener('pointerdown', (event) => {
    isPulled = false;
    const head = event.target instanceof Element ? event.target.closest<HTMLElement>('.head [data-column]') : null;
    if (!head || event.button !== 0 || !(event.target instanceof Element)) return;
    const isSizing = event.target.matches('.sizer');
    const at = Number(head.dataset.column);
    const before = columns();
    const start = event.clientX;
    let to = at;
    const ended = new AbortController();
    const { signal } = ended;
    const follow = ({ clientX }: PointerEvent) => {
      if (!isPulled && Math.abs(clientX - start) < slop) return;
      isPulled = true;
      if (isSizing) {
        change(sized(before, at, (before[at]?.width ?? 0) + clientX - start), false);
        return;
      }
      to = placeUnder(grid, clientX) ?? to;
      dropping(to);
    };
    const end = ({ type }: Event) => {
      ended.abort();
      dropping(undefined);
      if (!isPulled) return;
      const isKept = type === 'pointerup';
      if (isSizing) change([...(isKept ? columns() : before)], isKept);
      else if (isKept && to !== at) change(movedColumns(before, at, to), true);
    };
    window.addEventListener('pointermove', follow, { signal });
    window.addEventListener('pointerup', end, { signal });
    window.addEventListener('pointercancel', end, { signal });
  });
  // The click at the end of a pull is none.
  grid.addEventListener(
    'click',
    (event) => {
      const isSizer = event.target instanceof Element && event.target.matches('.sizer');
      if (isPulled || isSizer) event.stopPropagation();
      isPulled = false;
    },
    { capture: true },
  );
}

/** The column whose head is at a place of the window. */
function placeUnder(grid: HTMLElement, x: number): number | undefined {
  const heads = [...grid.querySelectorAll<HTMLElement>('.head [data-column]')];
  const under = heads.findLast((head) => {
    const { left, right } = head.getBoundingClientRect();
    return x >= left && x < right;
  });
  return under && Number(under.dataset.column);
}
