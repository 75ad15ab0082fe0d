import {
  allBlocks,
  type Block,
  type BlockOf,
  type BlockRow,
  type Inline,
  piecesText,
} from '../../../src/protocol/blocks.ts';

/** The first block of a kind. */
export function blockOf<Kind extends Block['kind']>(blocks: readonly Block[], kind: Kind): BlockOf<Kind> {
  const found = allBlocks(blocks).find((block) => block.kind === kind);
  if (!found) throw new Error(`There is no ${kind}.`);
  return found as BlockOf<Kind>;
}

/** A row of the tables, by its name. */
export function rowOf(blocks: readonly Block[], id: string): BlockRow {
  const rows = allBlocks(blocks).flatMap((block) => {
    if (block.kind === 'comparison') return [...block.different, ...block.same].flatMap((group) => group.rows);
    return block.kind === 'table' ? block.rows : [];
  });
  const found = rows.find((row) => row.id === id);
  if (!found) throw new Error(`There is no row ${id}.`);
  return found;
}

/** What the cells of a row say. */
export function cellsOf(blocks: readonly Block[], id: string): string[] {
  return rowOf(blocks, id).cells.map(piecesText);
}

/** What the facts say, by their labels. */
export function factsOf(blocks: readonly Block[]): Readonly<Record<string, string>> {
  const { facts } = blockOf(blocks, 'facts');
  return Object.fromEntries(facts.map(({ label, pieces }) => [piecesText([label]), piecesText(pieces)]));
}

/** What copying gives in a row. */
export function copyIn(pieces: readonly Inline[]): string | undefined {
  const found = pieces.flatMap((piece) => {
    if (typeof piece !== 'object') return [];
    if ('line' in piece) return copyIn(piece.line) ?? [];
    return 'copy' in piece ? piece.copy : [];
  });
  return found[0];
}
