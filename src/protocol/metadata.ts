import * as z from 'zod/mini';
import { nothing } from '../base/rpc.ts';
import { conversation, filterText, keptState, plainCall } from './page.ts';

/** A value ready to be shown. Text in it is safe to see, and is shown as text. */
export const valueSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('missing'), note: z.nullable(z.string()) }),
  z.strictObject({
    kind: z.literal('text'),
    text: z.string(),
    /** Adds a code or a remark, shown more quietly. */
    detail: z.nullable(z.string()),
    /** For keys, codes and hashes. */
    mono: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('mark'), mark: z.enum(['yes', 'no', 'undetermined']), words: z.string() }),
  z.strictObject({
    kind: z.literal('goals'),
    goals: z.array(z.strictObject({ number: z.string(), name: z.nullable(z.string()) })),
  }),
  z.strictObject({ kind: z.literal('json'), text: z.string() }),
]);
export type CellValue = z.output<typeof valueSchema>;

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

const rowSchema = z.strictObject({
  /** Names the row in messages; unique within the view. */
  id: z.string(),
  label: z.string(),
  /** Column of the bulk delivery file, or the API field where there is none; null for neither. */
  name: z.nullable(z.string()),
  meaning: z.nullable(z.string()),
  value: valueSchema,
  /** Set when the metadata column tells something else than the typed field: what it tells. */
  columnText: z.nullable(z.string()),
  /** What copying it gives: raw text, never altered. Null when there is nothing to copy. */
  copy: z.nullable(z.string()),
});
export type MetadataRow = z.output<typeof rowSchema>;

const groupSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  note: z.nullable(z.string()),
  rows: z.array(rowSchema),
});
export type RowGroup = z.output<typeof groupSchema>;

export const factSchema = z.strictObject({
  label: z.string(),
  /** Null when there is no value; the note may say why. */
  text: z.nullable(z.string()),
  note: z.nullable(z.string()),
});
export type Fact = z.output<typeof factSchema>;

const noticeSchema = z.strictObject({ tone: z.enum(['info', 'warning']), text: z.string() });
export type Notice = z.output<typeof noticeSchema>;

/** A report of another year: what a button that leads there says. */
const otherYearSchema = z.nullable(z.strictObject({ reportId: z.int(), year: z.string(), title: z.string() }));
export type OtherYear = z.output<typeof otherYearSchema>;

export const metadataViewSchema = z.strictObject({
  reportId: z.int(),
  reportKey: z.string(),
  /** BCP 47 tag of the report's own words, where it has one language. */
  contentLanguage: z.nullable(z.string()),
  isFavorite: z.boolean(),
  title: z.string(),
  company: z.string(),
  companyDetail: z.string(),
  type: z.string(),
  typeCode: z.nullable(z.string()),
  facts: z.array(factSchema),
  notices: z.array(noticeSchema),
  groups: z.array(groupSchema),
  /** Reports of the same company and type, of the years before and after this one. */
  previous: otherYearSchema,
  next: otherYearSchema,
});
export type MetadataView = z.output<typeof metadataViewSchema>;

/** Where the PDF stands. */
export const fileStateSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('available') }),
  z.strictObject({ kind: z.literal('none'), reason: z.string() }),
  z.strictObject({
    kind: z.literal('downloading'),
    /** Bytes; the total is null while it is unknown. */
    received: z.number(),
    total: z.nullable(z.number()),
    words: z.string(),
  }),
  z.strictObject({
    kind: z.literal('downloaded'),
    path: z.string(),
    /** The bytes agree with the published SHA-256. */
    verified: z.boolean(),
    /** Nobody has read the bytes yet, or they were compared with the lock file alone. */
    doubt: z.optional(z.enum(['unread', 'matches-lock', 'other-key'])),
    /** The service has a newer PDF than this one. */
    outdated: z.boolean(),
    /** The service still serves this report. */
    served: z.boolean(),
    /** Somebody changed the file since it was downloaded. */
    edited: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('failed'), message: z.string() }),
]);
export type PdfFileState = z.output<typeof fileStateSchema>;

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
  view: metadataViewSchema,
  kept: keptState(2, { filter: filterText }, { filter: '' }),
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
    file: fileStateSchema,
    /** The person came from a year beside this one: the button that goes on takes the keyboard. */
    stepped: z.strictObject({ step: stepSchema }),
  },
});
