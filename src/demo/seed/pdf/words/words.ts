/** The parts a document may have. */
export type SectionId =
  | 'about'
  | 'strategy'
  | 'climate'
  | 'resources'
  | 'people'
  | 'governance'
  | 'method'
  | 'assurance'
  | 'business'
  | 'outlook'
  | 'topic';

export interface SectionWords {
  readonly heading: string;
  /** May hold `{company}` (only where a sentence begins), `{label}`, `{start}`, `{end}`, `{base}` and the figures. */
  readonly paragraphs: readonly string[];
}

/** Everything a PDF says in one language. Only characters of the standard fonts (Windows-1252). */
export interface Words {
  /** Between groups of three digits, and before decimals. */
  readonly group: string;
  readonly decimal: string;
  /** Stands at the beginning of a sentence where no name is at hand. */
  readonly theCompany: string;
  readonly contents: string;
  readonly page: string;
  readonly fictional: string;
  readonly fiscalYear: string;
  readonly revised: string;
  readonly emissions: {
    readonly caption: string;
    readonly scope1: string;
    readonly scope2Location: string;
    readonly scope2Market: string;
    readonly scope3: string;
    readonly total: string;
    readonly change: string;
    readonly chart: string;
  };
  readonly resources: {
    readonly caption: string;
    readonly energy: string;
    readonly renewable: string;
    readonly water: string;
  };
  readonly figures: {
    readonly caption: string;
    readonly revenue: string;
    readonly result: string;
    readonly employees: string;
  };
  readonly sections: Readonly<Record<SectionId, SectionWords>>;
}
