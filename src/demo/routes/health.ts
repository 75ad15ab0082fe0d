import { injectedFault } from '../gates/injectedFault.ts';
import type { DemoApp, DemoState } from '../state.ts';

/** Release of the interface that the demo speaks. */
const release = '2.4.0';

/** `GET /health`: liveness, without a key (END-1). */
export function addHealth(api: DemoApp, { reading }: DemoState): void {
  api.get('/health', injectedFault(), (c) => c.json(reading.health(release) as object));
}
