import type { ReportQuery, ReportSummary } from '../../library/reportQuery.ts';
import type { PageHit } from '../../text/textIndex.ts';

/** A page on which something was found, and whose. */
export interface FoundPage extends PageHit {
  readonly report: ReportSummary;
}

/** What was asked: words, and among which reports. */
export interface PdfQuestion {
  readonly query: string;
  readonly scope: HitScope;
}

/** Which reports are searched; all of those whose PDF is here when nothing is given. */
export interface HitScope {
  /** What they have in common, as a person reads it; empty for all. */
  readonly words: string;
  readonly reportIds?: readonly number[] | undefined;
  readonly query?: ReportQuery | undefined;
}

export interface FoundPart {
  readonly pages: readonly FoundPage[];
  readonly next: string | null;
  readonly terms: readonly string[];
}

export interface HitNode {
  readonly kind: 'hit';
  readonly report: ReportSummary;
  readonly found: FoundPage;
  readonly parent: HitReportNode;
  /** Where it stands among those of its report, from 1. */
  ordinal: number;
}

/** A report in the list, with the pages that were found so far. */
export interface HitReportNode {
  readonly kind: 'hitReport';
  readonly report: ReportSummary;
  readonly hits: HitNode[];
}

/**
 * The answer to a question, as far as it was read: report by report, newest first, and the place in it that a person
 * walks from. Nodes stay the same objects while parts are added.
 */
export class HitList {
  readonly question: PdfQuestion;
  reports: HitReportNode[] = [];
  terms: readonly string[] = [];
  /** Where the next part begins; null when all was read. */
  next: string | null = null;
  /** All hits, in the order of the list. */
  hits: readonly HitNode[] = [];
  isOneCompany = false;
  /** The one that was opened last. */
  current: HitNode | undefined;

  constructor(question: PdfQuestion, first: FoundPart) {
    this.question = question;
    this.terms = first.terms;
    this.add(first);
  }

  add({ pages, next }: FoundPart): void {
    for (const found of pages) {
      const { report } = found;
      let parent = this.reports.findLast((node) => node.report.report_id === report.report_id);
      if (!parent) {
        parent = { kind: 'hitReport', report, hits: [] };
        this.reports.push(parent);
      }
      parent.hits.push({ kind: 'hit', report, found, parent, ordinal: parent.hits.length + 1 });
    }
    this.next = next;
    this.#gather();
  }

  /** Leaves out the pages that are no answers any more. False when all still are. */
  keep(isAnswer: (found: FoundPage) => boolean): boolean {
    if (this.hits.every(({ found }) => isAnswer(found))) return false;
    for (const { hits } of this.reports) {
      hits.splice(0, hits.length, ...hits.filter(({ found }) => isAnswer(found)));
      for (const [at, hit] of hits.entries()) hit.ordinal = at + 1;
    }
    this.reports = this.reports.filter(({ hits }) => hits.length > 0);
    this.#gather();
    return true;
  }

  #gather(): void {
    this.hits = this.reports.flatMap(({ hits }) => hits);
    this.isOneCompany = new Set(this.reports.map(({ report }) => report.company_key)).size === 1;
    this.current = this.hits.find((hit) => hit === this.current);
  }

  /** The hit so many steps on, or back; undefined beyond what was read. */
  neighbour(step: 1 | -1): HitNode | undefined {
    const at = this.current ? this.hits.indexOf(this.current) : -1;
    return at < 0 && step < 0 ? this.hits.at(-1) : this.hits[at + step];
  }

  /** The first one, or the last, to go on from at an end. */
  end(step: 1 | -1): HitNode | undefined {
    return step > 0 ? this.hits[0] : this.hits.at(-1);
  }

  /** The same hit in this list: a list that was read anew has other nodes. */
  same(found: FoundPage): HitNode | undefined {
    const idOf = ({ sha256, page, report }: FoundPage) => `${report.report_id} ${sha256} ${page}`;
    return this.hits.find((hit) => idOf(hit.found) === idOf(found));
  }
}
