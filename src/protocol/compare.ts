import * as z from 'zod/mini';
import { nothing } from '../base/rpc.ts';
import type { MetadataRow } from './metadata.ts';
import { conversation, filterText, fromEditor, keptState, plainCall } from './page.ts';

export interface ComparedColumn {
  readonly title: string;
  /** BCP 47 tag of the title's language, where the report has one. */
  readonly language: string | null;
  readonly company: string;
  readonly type: string;
  readonly fiscalYear: string;
  /** Withdrawn or removed by the service. */
  readonly isGone: boolean;
}

export interface ComparedRow extends Pick<MetadataRow, 'id' | 'label' | 'name'> {
  readonly isColumn: boolean;
  /** One a report, in the order of the columns. */
  readonly cells: readonly Pick<MetadataRow, 'value' | 'copy'>[];
}

export interface ComparedGroup {
  readonly title: string;
  readonly rows: readonly ComparedRow[];
}

/** Two to six reports side by side. */
export interface CompareView {
  /** What the comparison is along: years of one company, or companies. */
  readonly title: string;
  readonly columns: readonly ComparedColumn[];
  /** Rows in which at least two reports differ. */
  readonly different: readonly ComparedGroup[];
  readonly same: readonly ComparedGroup[];
  /** What standards and assurance are worth. */
  readonly note: string;
  /** Reports that could not be read, and why. */
  readonly notices: readonly string[];
}

export const compareProtocol = conversation({
  view: fromEditor<CompareView>(),
  kept: keptState({ filter: filterText, showSame: z.boolean() }, { filter: '', showSame: false }),
  calls: {
    openReport: { params: z.strictObject({ column: z.int().check(z.nonnegative()) }), result: nothing },
    diffAsJson: plainCall,
    chooseReports: plainCall,
  },
});
