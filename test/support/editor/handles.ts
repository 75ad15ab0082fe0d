import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestHandles } from '../../../src/extension.ts';

/** The extension's own objects, which it hands out in a test host only. */
export async function activated(): Promise<TestHandles> {
  const extension = vscode.extensions.getExtension<TestHandles | undefined>('report-library.report-library');
  assert.ok(extension, 'The extension is not installed.');
  const handles = await extension.activate();
  assert.ok(handles, 'This host is no test host.');
  return handles;
}
