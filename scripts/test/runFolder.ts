import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestEvent } from '../../test/support/editor/run.ts';
import { writeSettings } from '../host/settings.ts';
import { cache } from '../places.ts';
import { say, slowMs } from '../progress.ts';
import { copyWorkspace, type Label } from './labels.ts';
import type { Tally } from './tally.ts';

/** The fresh folder of one run of one label: a copy of its workspace, the editor's data, and what the tests tell. */
export interface RunFolder {
  readonly folder: string;
  readonly workspace: string;
  readonly dataFolder: string;
  readonly resultsFile: string;
  /** What the tests inside the editor look for in their environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** Makes the folder anew. `userFolder` is where, below its data folder, the editor looks for user settings. */
export async function makeRunFolder(name: string, label: Label, ...userFolder: string[]): Promise<RunFolder> {
  const folder = join(cache, 'runs', name);
  await rm(folder, { recursive: true, force: true });
  const workspace = join(folder, 'workspace');
  await copyWorkspace(label, workspace);
  const dataFolder = join(folder, 'data');
  await writeSettings(join(dataFolder, ...userFolder, 'settings.json'), label.settings);
  const resultsFile = join(folder, 'results.jsonl');
  const env = { REPORT_LIBRARY_TEST_LABEL: label.name, REPORT_LIBRARY_TEST_RESULTS: resultsFile };
  return { folder, workspace, dataFolder, resultsFile, env };
}

async function readEvents(file: string): Promise<TestEvent[]> {
  try {
    const lines = (await readFile(file, 'utf8')).split('\n').filter((text) => text !== '');
    return lines.map((text) => JSON.parse(text) as TestEvent);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Counts what the tests told and prints each failure. A run that ended early or never (`finished` false) counts one
 * failure more than its tests did.
 */
export async function readTally(run: RunFolder, finished: boolean): Promise<Tally> {
  const events = await readEvents(run.resultsFile);
  const count = (kind: TestEvent['kind']) => events.filter((event) => event.kind === kind).length;
  const whole = finished && count('end') === 1;
  for (const event of events) {
    if (event.kind === 'failed') say(`✗ ${event.title}\n  ${event.reason}`);
    if (event.kind !== 'end' && event.ms >= slowMs) say(`  ${event.ms} ms: ${event.title}`);
  }
  if (!whole) say(`✗ ${run.folder}: the run ${finished ? 'ended early' : 'did not end in time'}.`);
  return { passed: count('passed'), failed: count('failed') + (whole ? 0 : 1), skipped: count('skipped') };
}
