import { markdownTable, markdownText } from '../../protocol/format/table.ts';

/** Tools, pictures that a table says too, and what is there for the eye alone. */
const silent =
  '[aria-hidden="true"], vscode-button, nav, figure, progress, .toolbar, .actions, .legend, .tools, p button';
const tables = 'table, [role="table"], [role="grid"]';

/** All that a page says, as Markdown: headings, lines and tables. Nothing in it becomes markup. */
export function asMarkdown(page: Element): string {
  return `${blocksOf(page).join('\n\n')}\n`;
}

function blocksOf(element: Element): string[] {
  if (element.matches(silent)) return [];
  if (element.matches(tables)) return [markdownTable(rowsOf(element)).trimEnd()];
  const lead = { H1: '# ', H2: '## ', LI: '- ' }[element.tagName] ?? '';
  if (element.matches('dl > div')) return [`- ${[...element.children].map(wordsOf).join(': ')}`];
  if (lead === '' && element.childElementCount > 0 && !element.matches('p, pre, summary'))
    return [...element.children].flatMap(blocksOf);
  const words = wordsOf(element);
  return words === '' ? [] : [lead + words];
}

/** The cells of a table, but for columns that only have a head. */
function rowsOf(table: Element): string[][] {
  const rows = Array.from(table.querySelectorAll('tr, [role="row"]'), (row) => [...row.children].flatMap(cellsOf));
  const isUsed = (column: number) => rows.slice(1).some((row) => row[column]);
  return rows.map((row) => row.filter((_, column) => isUsed(column)));
}

/** A cell; what it spans beside stays empty. */
function cellsOf(cell: Element): string[] {
  const span = cell instanceof HTMLTableCellElement ? cell.colSpan : 1;
  return [textOf(cell), ...Array<string>(span - 1).fill('')];
}

function wordsOf(element: Element): string {
  return markdownText(textOf(element));
}

function textOf(node: Node): string {
  if (node instanceof Element && node.matches(silent)) return '';
  if (node instanceof HTMLElement && node.dataset.text !== undefined) return node.dataset.text;
  if (node instanceof Text) return node.data;
  return Array.from(node.childNodes, textOf).join(' ').replace(/\s+/g, ' ').trim();
}
