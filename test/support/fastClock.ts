import { type Clock, systemClock } from '../../src/base/clock.ts';

/** A clock that runs `factor` times as fast as the real one, for tests that have to wait for another process. */
export function fastClock(factor: number): Clock {
  const began = { now: Date.now(), monotonic: performance.now() };
  const passed = () => (performance.now() - began.monotonic) * factor;
  return {
    now: () => Math.floor(began.now + passed()),
    monotonic: passed,
    sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
  };
}
