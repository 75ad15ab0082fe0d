import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestHandles } from '../../../src/extension.ts';
import { startTestDemo, type TestDemo, type TestDemoOptions } from '../demo/testDemo.ts';

/** The extension's own objects, which it hands out in a test host only. */
export async function activated(): Promise<TestHandles> {
  const extension = vscode.extensions.getExtension<TestHandles | undefined>('report-library.report-library');
  assert.ok(extension, 'The extension is not installed.');
  const handles = await extension.activate();
  assert.ok(handles, 'This host is no test host.');
  return handles;
}

/** Starts a demo service that the test can look into, and signs the extension in to it as to any other service. */
export async function signedInDemo(handles: TestHandles, options?: TestDemoOptions): Promise<TestDemo> {
  const demo = await startTestDemo(options);
  signIn(handles, demo);
  return demo;
}

/** The service that suites of a label share. */
export type SharedDemo = Omit<TestDemo, 'dispose'>;

let shared: Promise<TestDemo> | undefined;

/**
 * Signs in to the service that all suites of a label share, so that its library is loaded once. For suites that only
 * read there: its log begins anew, what earlier suites were answered may be kept. It ends with the editor.
 */
export async function sharedDemo(handles: TestHandles): Promise<SharedDemo> {
  shared ??= startTestDemo();
  const demo = await shared;
  signIn(handles, demo);
  // A suite before may have left while its library was loaded.
  await vscode.commands.executeCommand('reportLibrary.sync', true);
  demo.control.log.clear();
  return demo;
}

function signIn({ services }: TestHandles, { baseUrl, key }: TestDemo): void {
  services.connect({ id: 'test', name: 'Test Service', baseUrl, key, isDemo: false });
}
