import type { EvidencePdfs } from '../../../src/evidence/check.ts';
import type { EvidenceRecord } from '../../../src/evidence/record.ts';
import { normalForm } from '../../../src/text/normalForm.ts';

/** Numbers from 0 to below 1, the same in each run. */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const stems = ['emission', 'scope', 'wood', 'river', 'audit', 'board', 'risk', 'water', 'plant', 'supply', 'train'];
const ends = ['s', 'ing', 'ed', 'ability', 'ment', 'ly', '', '-free', 'al'];

export function words(count: number, next: () => number): string[] {
  const pick = <T>(all: readonly T[]) => all[Math.floor(next() * all.length)] as T;
  return Array.from({ length: count }, () =>
    next() < 0.1 ? `${Math.floor(next() * 1000)} ${100 + Math.floor(next() * 900)}` : `${pick(stems)}${pick(ends)}`,
  );
}

export interface Layout {
  readonly perLine: number;
  readonly perPage: number;
  readonly head: string;
}

/** Words as pages of lines, with a running head and a page number, and with words broken at the ends of lines. */
export function laidOut(all: readonly string[], { perLine, perPage, head }: Layout): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of all) {
    const room = perLine - line.length;
    if (word.length < room) line += `${word} `;
    else if (/^[a-z]{9,}$/.test(word) && room > 5) {
      lines.push(`${line}${word.slice(0, 4)}-`);
      line = `${word.slice(4)} `;
    } else {
      lines.push(line.trimEnd());
      line = `${word} `;
    }
  }
  lines.push(line.trimEnd());
  const pages: string[] = [];
  for (let at = 0; at < lines.length; at += perPage)
    pages.push([head, ...lines.slice(at, at + perPage), `Annual Report ${pages.length + 1}`].join('\n'));
  return pages;
}

export const firstLayout: Layout = { perLine: 80, perPage: 40, head: 'Sustainability statement' };
export const secondLayout: Layout = { perLine: 57, perPage: 33, head: 'Sustainability statement, restated edition' };

const hash = (digit: string) => digit.repeat(64);

/**
 * Records of 40 PDFs of which newer versions are here. Each tenth is a quote that is no longer there, and each tenth a
 * table, half of them with a row that is not there.
 */
export function manyRecords(count: number): { readonly records: EvidenceRecord[]; readonly pdfs: EvidencePdfs } {
  const texts = Array.from({ length: 40 }, (_, pdf) =>
    laidOut(words(12_000, numbers(pdf)), firstLayout).map(normalForm),
  );
  const records = Array.from({ length: count }, (_, index): EvidenceRecord => {
    const all = texts[index % 40]?.[index % 9]?.split(' ') ?? [];
    const [part, from] = [Math.floor(index / 40) % 10, 40 + (index % 100)];
    const said = (begin: number, end: number) => all.slice(begin, end).join(' ');
    const isTable = part === 1;
    const cells = [0, 4, 8, 12, 16].map((row) => [
      said(from + row, from + row + 2),
      isTable && index % 2 === 1 && row === 16 ? '8,765,431' : said(from + row + 2, from + row + 4),
    ]);
    const exact = part === 0 ? `${said(from, from + 10)} ${index}X ${said(from, from + 10)}` : cells.flat().join(' ');
    const around = { prefix: said(from - 5, from), suffix: said(from + 20, from + 25) };
    return {
      id: `id-${index}`,
      kind: isTable ? 'table' : 'quote',
      report_id: 1 + (index % 40),
      report_key: 'XETR_A_2024_SR',
      sha256: hash('a'),
      selector: { type: 'TextQuoteSelector', exact, ...around },
      regions: [{ page: 1, label: null, rectangles: [], ...(isTable && { cells }) }],
      note: '',
      created_at: '2026-11-23T10:00:00Z',
    };
  });
  const here = texts.map((_, pdf) => ({
    report_id: pdf + 1,
    sha256: pdf.toString(16).padStart(64, '0'),
    path: `${pdf}`,
  }));
  return {
    records,
    pdfs: {
      here: async () => here,
      presentId: async () => undefined,
      text: async ({ path }) => ({ pages: (texts[Number(path)] ?? []).map((text) => ({ label: null, text })) }),
    },
  };
}
