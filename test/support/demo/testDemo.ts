import { systemClock } from '../../../src/base/clock.ts';
import { type DemoOptions, type DemoService, startDemoService } from '../../../src/demo/service.ts';
import type { DemoState } from '../../../src/demo/state.ts';
import { DemoControl } from './control.ts';
import { FaultPlan, type FaultRule } from './faults.ts';
import { seeded } from './generated.ts';
import { faultHooks } from './hooks.ts';
import { issueSpecialKeys, type SpecialKeys } from './keys.ts';
import { RequestLog } from './requestLog.ts';
import { ShiftedClock } from './shiftedClock.ts';
import { shapedBy, type Variant } from './variants.ts';

export interface TestDemoOptions extends DemoOptions {
  /** So many companies of a seeded catalog, and two more outside every license. */
  readonly companies?: number | undefined;
  /** Requests in any second above which the edge refuses, as many as usual by default. */
  readonly edgeRequestsPerSecond?: number | undefined;
  /** Open connections above which the edge refuses, as many as usual by default. */
  readonly edgeConnections?: number | undefined;
  readonly faults?: readonly FaultRule[] | undefined;
  /** How to read the open places of the interface. */
  readonly variant?: Variant | undefined;
}

/** A running demo service in a test's hand. */
export interface TestDemo extends DemoService {
  readonly keys: SpecialKeys & { readonly full: DemoService['key'] };
  readonly control: DemoControl;
}

/** Starts the demo service with faults, a log of its requests and a clock that moves on when it is told to. */
export async function startTestDemo({
  faults = [],
  variant,
  companies,
  ...options
}: TestDemoOptions = {}): Promise<TestDemo> {
  const clock = new ShiftedClock(options.clock ?? systemClock);
  const plan = new FaultPlan();
  plan.set(faults);
  const log = new RequestLog(options.clock ?? systemClock);
  const ending = new AbortController();
  let held: DemoState | undefined;
  const service = await startDemoService(
    { ...options, clock, ...(companies !== undefined && seeded(companies)) },
    (state) => {
      held = state;
      state.failed = (error) => log.failed(error);
      const { edge } = state;
      edge.requests = options.edgeRequestsPerSecond ?? edge.requests;
      edge.connections = options.edgeConnections ?? edge.connections;
      const hooks = faultHooks(state, plan, log, ending.signal);
      if (!variant) return hooks;
      const shaped = shapedBy(variant);
      return { ...hooks, inside: (c, next) => hooks.inside(c, async () => void (await shaped(c, next))) };
    },
  );
  if (!held) throw new Error('The service did not ask for its hooks.');
  return {
    ...service,
    keys: { full: service.key, ...issueSpecialKeys(held.keys, clock) },
    control: new DemoControl(held, clock, plan, log, variant),
    dispose() {
      ending.abort();
      return service.dispose();
    },
  };
}
