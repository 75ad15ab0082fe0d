import * as z from 'zod/mini';
import { nothing } from '../base/rpc.ts';
import type { Goal, Mark } from './format/facts.ts';
import { conversation, filterText, fromEditor, keptState, plainCall } from './page.ts';

/** A value ready to be shown. Text in it is safe to see, and is shown as text. */
export type CellValue =
  | { readonly kind: 'missing'; readonly note: string | null }
  | {
      readonly kind: 'text';
      readonly text: string;
      /** Adds a code or a remark, shown more quietly. */
      readonly detail: string | null;
      /** For keys, codes and hashes. */
      readonly mono: boolean;
    }
  | { readonly kind: 'mark'; readonly mark: Mark; readonly words: string }
  | { readonly kind: 'goals'; readonly goals: readonly Goal[] }
  | { readonly kind: 'json'; readonly text: string };

/** A value in words, on one line. */
export function valueText(value: CellValue): string {
  switch (value.kind) {
    case 'missing':
      return value.note ?? '–';
    case 'text':
      return value.detail === null ? value.text : `${value.text} (${value.detail})`;
    case 'mark':
      return value.words;
    case 'goals':
      return value.goals.map(({ number, name }) => (name === null ? number : `${number} ${name}`)).join('; ');
    case 'json':
      return value.text;
  }
}

export interface MetadataRow {
  /** Names the row in messages; unique within the view. */
  readonly id: string;
  readonly label: string;
  /** Column of the bulk delivery file, or the API field where there is none; null for neither. */
  readonly name: string | null;
  readonly meaning: string | null;
  readonly value: CellValue;
  /** Set when the metadata column tells something else than the typed field: what it tells. */
  readonly columnText: string | null;
  /** What copying it gives: raw text, never altered. Null when there is nothing to copy. */
  readonly copy: string | null;
}

export interface RowGroup {
  readonly id: string;
  readonly title: string;
  readonly note: string | null;
  readonly rows: readonly MetadataRow[];
}

export interface Fact {
  readonly label: string;
  /** Null when there is no value; the note may say why. */
  readonly text: string | null;
  readonly note: string | null;
}

export interface Notice {
  readonly tone: 'info' | 'warning';
  readonly text: string;
}

/** A report of another year: what a button that leads there says. */
export type OtherYear = { readonly reportId: number; readonly year: string; readonly title: string } | null;

export interface MetadataView {
  readonly reportKey: string;
  /** BCP 47 tag of the report's own words, where it has one language. */
  readonly contentLanguage: string | null;
  readonly isFavorite: boolean;
  readonly title: string;
  readonly company: string;
  readonly companyDetail: string;
  readonly type: string;
  readonly typeCode: string | null;
  readonly facts: readonly Fact[];
  readonly notices: readonly Notice[];
  readonly groups: readonly RowGroup[];
  /** Reports of the same company and type, of the years before and after this one. */
  readonly previous: OtherYear;
  readonly next: OtherYear;
}

/**
 * What keeps a PDF from counting as verified: it wasn't read yet, was compared with the lock file alone, has another
 * key there, or was rewritten by Git.
 */
export const pdfDoubts = ['unread', 'matches-lock', 'other-key', 'lfs-pointer', 'line-ends'] as const;
export type PdfDoubt = (typeof pdfDoubts)[number];

/** Where the PDF stands. */
export type PdfFileState =
  | { readonly kind: 'available' }
  | { readonly kind: 'none'; readonly reason: string }
  /** In bytes; the total is null while it is unknown. */
  | { readonly kind: 'downloading'; readonly received: number; readonly total: number | null; readonly words: string }
  | {
      readonly kind: 'downloaded';
      readonly path: string;
      /** The bytes agree with the published SHA-256. */
      readonly verified: boolean;
      readonly doubt?: PdfDoubt;
      /** The service has a newer PDF than this one. */
      readonly outdated: boolean;
      /** The service still serves this report. */
      readonly served: boolean;
      /** Somebody changed the file since it was downloaded. */
      readonly edited: boolean;
    }
  | { readonly kind: 'failed'; readonly message: string };

/** What other features do with the report. */
const reportActions = [
  'openPdf',
  'revealDownload',
  'insertIntoNotebook',
  'exportReports',
  'copyLink',
  'copyCitation',
] as const;
export type ReportAction = (typeof reportActions)[number];

/** Which of the years beside this one. */
const stepSchema = z.enum(['previous', 'next']);

export const metadataProtocol = conversation({
  view: fromEditor<MetadataView>(),
  kept: keptState({ filter: filterText }, { filter: '' }),
  calls: {
    download: plainCall,
    cancelDownload: plainCall,
    run: { params: z.strictObject({ action: z.enum(reportActions) }), result: nothing },
    openOther: { params: z.strictObject({ which: stepSchema }), result: nothing },
    viewAsJson: plainCall,
    compare: plainCall,
    showCompany: plainCall,
    toggleFavorite: plainCall,
  },
  hears: {
    file: fromEditor<PdfFileState>(),
    /** The person came from a year beside this one: the button that goes on takes the keyboard. */
    stepped: fromEditor<{ readonly step: z.output<typeof stepSchema> }>(),
  },
});
