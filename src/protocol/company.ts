import * as z from 'zod/mini';
import { type TypeFamily, typeFamilies } from '../api/schemas/reportTypes.ts';
import { l10n } from '../base/l10n.ts';
import { nothing } from '../base/rpc.ts';
import type { CellContent } from './coverage.ts';
import type { Fact } from './metadata.ts';
import { conversation, fromEditor, keptState, plainCall } from './page.ts';

export interface CompanyFact extends Fact {
  readonly id: string;
  /** The schema dictionary explains it. */
  readonly isColumn: boolean;
  /** What copying it gives, as the service sent it: a key or a code. Null where there is nothing to copy. */
  readonly copy: string | null;
}

/**
 * What the reports of a year say together; `none` where there is no listed report, `covered` where there is none but a
 * two-year one is filed under the year before.
 */
export type YearMark = 'yes' | 'no' | 'undetermined' | 'none' | 'covered';

export interface YearAssurance {
  readonly statement: YearMark;
  /** Level, provider and standard in words, one line a report that states any. */
  readonly lines: readonly string[];
  /** The highest level that is stated. */
  readonly level: 'limited' | 'reasonable' | 'other' | null;
}

interface FamilyCells {
  readonly family: TypeFamily;
  readonly code: string;
  readonly label: string;
  readonly cells: readonly CellContent[];
}

/** A company as the panel shows it. All lists by year follow `years`. */
export interface CompanyView {
  readonly companyKey: string;
  readonly title: string;
  readonly detail: string;
  readonly isFavorite: boolean;
  readonly facts: readonly CompanyFact[];
  readonly notices: readonly string[];
  /** Ascending; 0 is undated and last. */
  readonly years: readonly number[];
  readonly families: readonly FamilyCells[];
  readonly standards: readonly { readonly id: string; readonly label: string; readonly marks: readonly YearMark[] }[];
  readonly assurance: readonly YearAssurance[];
}

/** What the marks of standards say; shared by the page's legend and this text. */
export function yearMarkLabel(mark: YearMark): string {
  const labels = {
    yes: l10n.t('Applied'),
    no: l10n.t('Not applied, according to the report'),
    undetermined: l10n.t('Undetermined'),
    none: l10n.t('No report'),
    covered: l10n.t('Covered by the two-year report of the year before'),
  };
  return labels[mark];
}

/** A cell of the coverage matrix: the fiscal year, 0 for undated, and the family. */
const cellNameSchema = z.strictObject({ year: z.int(), family: z.enum(typeFamilies) });
export type CellName = z.output<typeof cellNameSchema>;

export const companyProtocol = conversation({
  view: fromEditor<CompanyView>(),
  kept: keptState(
    {
      row: z.int().check(z.minimum(0), z.maximum(100)),
      column: z.int().check(z.minimum(0), z.maximum(1000)),
    },
    { row: 0, column: 0 },
  ),
  calls: {
    openCell: { params: cellNameSchema, result: nothing },
    /** Downloads the PDFs of all cells, after a question that says what it comes to. */
    download: {
      params: z.strictObject({ cells: z.array(cellNameSchema).check(z.minLength(1), z.maxLength(2000)) }),
      result: nothing,
    },
    revealInWatchlist: plainCall,
    toggleFavorite: plainCall,
  },
});
