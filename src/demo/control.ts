import type { Secret } from '../base/secret.ts';
import type { DemoPdf, DemoReport } from './catalogue.ts';
import type { FaultPlan } from './faults.ts';
import { isEntitled, type Licence, type Scope } from './keys.ts';
import { Mutations } from './mutations.ts';
import type { RequestLog } from './requestLog.ts';
import type { DemoState, MonthUsage } from './state.ts';

/** What a further key is to be; what is left out is as in the full licence. */
export interface FurtherKey {
  readonly label: string;
  readonly fullAccess?: boolean | undefined;
  readonly companies?: readonly string[] | undefined;
  readonly types?: readonly string[] | null | undefined;
  readonly fcyearStart?: number | undefined;
  readonly fcyearEnd?: number | null | undefined;
  readonly scopes?: readonly Scope[] | undefined;
  /** From now, ms. */
  readonly expiresIn?: number | undefined;
  readonly requestsPerMinute?: number | undefined;
}

/** The owner's hand on a running service, never reachable over HTTP: what changes, what fails, what was seen. */
export class DemoControl {
  readonly #state: DemoState;
  /** Changes to the catalogue. */
  readonly catalogue: Mutations;
  readonly faults: FaultPlan;
  readonly log: RequestLog;

  constructor(state: DemoState) {
    this.#state = state;
    this.catalogue = new Mutations(state);
    this.faults = state.faults;
    this.log = state.log;
  }

  /** Moves the service's clock forward: changes settle, links and keys expire, the minute of the rate passes. */
  advance(ms: number): void {
    this.#state.clock.advance(ms);
  }

  /** The service's time, ms since the epoch. */
  now(): number {
    return this.#state.clock.now();
  }

  /** Issues a further key. Labels are unique. */
  issueKey(further: FurtherKey): Secret {
    const { keys, clock } = this.#state;
    const full = keys.named('full');
    if (keys.records.some(({ label }) => label === further.label))
      throw new Error(`The label ${further.label} is taken.`);
    const narrowed = ['companies', 'types', 'fcyearStart', 'fcyearEnd'].some((name) => Object.hasOwn(further, name));
    const companies = further.companies?.map((key) => this.catalogue.company(key));
    const licence: Licence = {
      clientName: `Demo Research Desk (${further.label})`,
      fullAccess: further.fullAccess ?? !narrowed,
      companies: new Set(companies ?? full.licence.companies),
      types: further.types ? new Set(further.types) : null,
      fcyearStart: further.fcyearStart ?? full.licence.fcyearStart,
      fcyearEnd: further.fcyearEnd ?? null,
    };
    return keys.issue({
      label: further.label,
      licence,
      scopes: further.scopes,
      expiresAt: further.expiresIn === undefined ? undefined : clock.now() + further.expiresIn,
      requestsPerMinute: further.requestsPerMinute ?? full.requestsPerMinute,
    });
  }

  /** From now on requests with this key get 401. */
  revokeKey(label: string): void {
    this.#state.keys.named(label).revoked = true;
  }

  usage(label = 'full'): Readonly<MonthUsage> {
    return this.#state.usage.of(label);
  }

  /** The truth to compare with: what a key may see at this moment, ordered by id. */
  entitled(label = 'full'): readonly DemoReport[] {
    const { licence } = this.#state.keys.named(label);
    const { holdings } = this.#state;
    return holdings.reports.filter((report) => isEntitled(licence, report, holdings.companyOf(report)));
  }

  /** The Report object as the service sends it now, parsed. */
  async wire(reportId: number): Promise<Record<string, unknown>> {
    return JSON.parse(JSON.stringify(await this.#state.wire.object({ report: this.catalogue.report(reportId) })));
  }

  pdf(reportId: number): Promise<DemoPdf> {
    return this.#state.holdings.pdf(this.catalogue.report(reportId));
  }
}
