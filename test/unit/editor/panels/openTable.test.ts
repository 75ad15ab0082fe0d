import assert from 'node:assert/strict';
import { panelCommands } from '../../../../src/editor/panels/commands.ts';

type Given = Parameters<typeof panelCommands>;

/** The command All Reports as Table, and with what it opened the table. */
function openTable(isOpen: boolean, remembered: Readonly<Record<string, unknown>>) {
  const opened: unknown[] = [];
  const workspace = { get: (key: string) => remembered[key], update: async () => {} };
  const ports = { extension: { workspaceState: workspace } } as unknown as Given[0];
  const editors = {
    isOpen: () => isOpen,
    open: async (_: unknown, input: unknown) => void opened.push(input),
  } as unknown as Given[1];
  return { run: panelCommands(ports, editors).openTable, opened };
}

const [german, of2024] = [{ country: ['Germany'] }, { fcyear: [2024] }];

describe('All Reports as Table', () => {
  it('takes the filter of the Reports view, also into an open table that is narrowed to nothing', async () => {
    for (const isOpen of [false, true]) {
      const { run, opened } = openTable(isOpen, { 'reports.filter': of2024 });
      await run(undefined);
      assert.deepEqual(opened, [{ filter: of2024 }]);
    }
  });

  it('leaves an open table as it was narrowed, unless a filter is given', async () => {
    const { run, opened } = openTable(true, { 'reports.filter': of2024, 'table.filter': german });
    await run(undefined);
    await run(of2024);
    assert.deepEqual(opened, [undefined, { filter: of2024 }]);
  });
});
