import assert from 'node:assert/strict';
import type { App } from '../../../../src/app/app.ts';
import { reportsCommands } from '../../../../src/editor/trees/commands.ts';
import type { ReportsTree } from '../../../../src/editor/trees/reportsTree.ts';

describe('the filter of the Reports view', () => {
  it('is what a program says; a list is refused in words, and nobody is asked', async () => {
    const shown: unknown[] = [];
    const tree = { show: async (filter: unknown) => void shown.push(filter) } as unknown as ReportsTree;
    const library = () => Promise.reject(new Error('Somebody is asked.'));
    const context = { services: { library }, extension: {} } as unknown as App;
    const { filterReports } = reportsCommands(context, tree);
    await assert.rejects(filterReports([{ type: 'SR' }]), /The filter must be an object/);
    await filterReports({ type: 'SR' });
    assert.deepEqual(shown, [{ type: ['SR'] }]);
    await assert.rejects(filterReports(undefined), /Somebody is asked/);
  });
});
