import { type DemoOptions, type DemoService, startDemoService } from '../../../src/demo/service.ts';
import type { TestHandles } from '../../../src/extension.ts';

/** Starts a demo service that the test can look into, and signs the extension in to it as to any other service. */
export async function signedInDemo({ services }: TestHandles, options?: DemoOptions): Promise<DemoService> {
  const demo = await startDemoService(options);
  services.connect({ id: 'test', name: 'Test Service', baseUrl: demo.baseUrl, key: demo.key, isDemo: false });
  return demo;
}
