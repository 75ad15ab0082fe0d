import { l10n } from '../base/l10n.ts';
import { type Block, type BlockGroup, type Inline, piecesText } from '../protocol/blocks.ts';
import { markdownTable, markdownText } from '../protocol/format/table.ts';

/** All that a panel says, as Markdown: headings, lines and tables. Nothing in it becomes markup. */
export function blocksText(blocks: readonly Block[]): string {
  return `${blocks.flatMap(blockText).join('\n\n')}\n`;
}

/** The words of a panel's title. */
export function titleOf(blocks: readonly Block[]): string | undefined {
  return blocks.find((block) => block.kind === 'title')?.text;
}

function blockText(block: Block): string[] {
  switch (block.kind) {
    case 'title':
      return [`# ${markdownText([block.text, block.detail ?? []].flat().join(' '))}`];
    case 'line':
      return lineText(block.pieces);
    case 'facts':
      return block.facts.map(({ label, pieces }) => itemText([piecesText([label]), piecesText(pieces)]));
    case 'notices':
      return block.notices.map(({ text }) => `- ${markdownText(text)}`);
    case 'section':
      return [`## ${markdownText(block.title)}`, ...noteText(block.note), ...block.blocks.flatMap(blockText)];
    case 'table':
      return [
        tableText([block.columns.map(({ head }) => head), ...block.rows.map(({ cells }) => cells.map(piecesText))]),
      ];
    case 'matrix':
      return [
        tableText([
          [block.rowsName, ...block.columns],
          ...block.rows.map(({ code, label, cells }) => [
            `${code} ${label}`.trim(),
            ...cells.map(({ words }) => words),
          ]),
        ]),
      ];
    case 'sideways':
      return block.blocks.flatMap(blockText);
    case 'comparison': {
      const count = block.columns.length;
      const divider = [l10n.t('The same in all reports'), ...Array<string>(count).fill('')];
      const rows = [...groupsText(block.different, count), divider, ...groupsText(block.same, count)];
      return [tableText([[l10n.t('Field'), ...block.columns.map(piecesText)], ...rows])];
    }
    case 'details':
      return [markdownText(block.title), ...block.items.map(({ term, lines }) => itemText([term, lines.join(' ')]))];
    case 'text':
      return [`## ${markdownText(block.title)}`, markdownText(block.text)];
    case 'actions':
    case 'tools':
      return [];
    default:
      return block satisfies never;
  }
}

/** What can be clicked in a line is left out, and so are legends of signs. */
function lineText(pieces: readonly Inline[]): string[] {
  const isSaid = (piece: Inline) => typeof piece === 'string' || !('link' in piece || 'list' in piece);
  const text = piecesText(pieces.filter(isSaid));
  return text === '' ? [] : [markdownText(text)];
}

function noteText(note: string | undefined): string[] {
  return note === undefined ? [] : [markdownText(note)];
}

function itemText(parts: readonly string[]): string {
  return `- ${parts.map(markdownText).join(': ')}`;
}

/** Where all say the same, the other cells stay empty. */
function groupsText(groups: readonly BlockGroup[], count: number): string[][] {
  const row = (texts: readonly string[]) => Array.from({ length: count + 1 }, (_, at) => texts[at] ?? '');
  return groups.flatMap(({ title, rows }) => [row([title]), ...rows.map(({ cells }) => row(cells.map(piecesText)))]);
}

/** A table but for columns that only have a head. */
function tableText(rows: readonly (readonly string[])[]): string {
  const isUsed = (column: number) => rows.slice(1).some((row) => row[column]);
  return markdownTable(rows.map((row) => row.filter((_, column) => isUsed(column)))).trimEnd();
}
