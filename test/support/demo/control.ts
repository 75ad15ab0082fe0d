import type { Secret } from '../../../src/base/secret.ts';
import type { DemoPdf, DemoReport } from '../../../src/demo/catalog.ts';
import { isEntitled, type KeyOptions, type KeyUsage, type License, usageOf } from '../../../src/demo/keys.ts';
import type { DemoState } from '../../../src/demo/state.ts';
import type { FaultPlan } from './faults.ts';
import { namedKey } from './keys.ts';
import { EveryMutation } from './mutations.ts';
import type { RequestLog } from './requestLog.ts';
import type { ShiftedClock } from './shiftedClock.ts';
import { reportOf, type Variant } from './variants.ts';

/** What a further key is to be; what is left out is as in the full license. */
interface FurtherKey
  extends Partial<Pick<License, 'fullAccess' | 'fcyearStart' | 'fcyearEnd'>>,
    Partial<Pick<KeyOptions, 'requestsPerMinute'>> {
  readonly label: string;
  readonly companies?: readonly string[];
  readonly types?: readonly string[] | null;
  /** From now, ms. */
  readonly expiresIn?: number;
}

/** The owner's hand on a running service, never reachable over HTTP: what changes, what fails, what was seen. */
export class DemoControl {
  readonly #state: DemoState;
  readonly #variant: Variant;
  /** Changes to the catalog. */
  readonly catalog: EveryMutation;
  readonly faults: FaultPlan;
  readonly log: RequestLog;
  readonly #clock: ShiftedClock;

  constructor(state: DemoState, clock: ShiftedClock, faults: FaultPlan, log: RequestLog, variant: Variant = {}) {
    this.#state = state;
    this.#variant = variant;
    this.#clock = clock;
    this.catalog = new EveryMutation(state);
    this.faults = faults;
    this.log = log;
  }

  /** Moves the service's clock forward: changes settle, links and keys expire, the minute of the rate passes. */
  advance(ms: number): void {
    this.#clock.advance(ms);
  }

  /** The service's time, ms since the epoch. */
  now(): number {
    return this.#state.clock.now();
  }

  /** Issues a further key. Labels are unique. */
  issueKey({ label, companies, types, expiresIn, requestsPerMinute, ...window }: FurtherKey): Secret {
    const { keys, clock } = this.#state;
    const full = namedKey(keys, 'full');
    if (keys.records.some((record) => record.label === label)) throw new Error(`The label ${label} is taken.`);
    const isNarrowed = companies !== undefined || types !== undefined || Object.keys(window).length > 0;
    const license: License = {
      ...full.license,
      clientName: `Demo Research Desk (${label})`,
      fullAccess: !isNarrowed,
      companies: new Set(companies?.map((key) => this.catalog.company(key)) ?? full.license.companies),
      types: types ? new Set(types) : null,
      ...window,
    };
    return keys.issue({
      label,
      license,
      ...(expiresIn !== undefined && { expiresAt: clock.now() + expiresIn }),
      requestsPerMinute: requestsPerMinute ?? full.requestsPerMinute,
    });
  }

  /** From now on requests with this key get 401. */
  revokeKey(label: string): void {
    namedKey(this.#state.keys, label).expiresAt = 0;
  }

  usage(label = 'full'): Readonly<KeyUsage> {
    return usageOf(namedKey(this.#state.keys, label), this.#state.clock);
  }

  /** The truth to compare with: what a key may see at this moment, ordered by id. */
  entitled(label = 'full'): readonly DemoReport[] {
    const { license } = namedKey(this.#state.keys, label);
    const { holdings } = this.#state;
    return holdings.reports.filter((report) => isEntitled(license, report, holdings.companyOf(report)));
  }

  /** The Report object as the service sends it now, parsed. */
  async wire(reportId: number): Promise<Record<string, unknown>> {
    const report = await this.#state.wire.object({ report: this.catalog.report(reportId) });
    return JSON.parse(JSON.stringify(reportOf(this.#variant, report)));
  }

  pdf(reportId: number): Promise<DemoPdf> {
    return this.#state.holdings.pdf(this.catalog.report(reportId));
  }
}
