import type { TestHandles } from '../../../src/extension.ts';
import { startTestDemo, type TestDemo, type TestDemoOptions } from '../demo/testDemo.ts';

/** Starts a demo service that the test can look into, and signs the extension in to it as to any other service. */
export async function signedInDemo({ services }: TestHandles, options?: TestDemoOptions): Promise<TestDemo> {
  const demo = await startTestDemo(options);
  services.connect({ id: 'test', name: 'Test Service', baseUrl: demo.baseUrl, key: demo.key, isDemo: false });
  return demo;
}
