import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runsOnBattery } from '../../../src/text/windows.ts';

describe('a machine', () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  const machines: readonly (readonly [string, readonly Readonly<Record<string, string>>[], boolean])[] = [
    [
      'with a battery that drains runs on it',
      [
        { type: 'Battery', status: 'Discharging' },
        { type: 'Mains', online: '0' },
      ],
      true,
    ],
    [
      'on mains does not',
      [
        { type: 'Battery', status: 'Charging' },
        { type: 'Mains', online: '1' },
      ],
      false,
    ],
    [
      'on a charger by USB does not',
      [
        { type: 'Battery', status: 'Discharging' },
        { type: 'USB', online: '1' },
      ],
      false,
    ],
    ['with a full battery does not', [{ type: 'Battery', status: 'Full' }], false],
    ['without a battery does not', [], false],
  ];
  for (const [what, supplies, expected] of machines) {
    it(what, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'report-library-power-'));
      folders.push(folder);
      for (const [at, files] of supplies.entries()) {
        mkdirSync(join(folder, `supply${at}`));
        for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `supply${at}`, name), `${text}\n`);
      }
      assert.equal(await runsOnBattery(folder), expected);
    });
  }

  it('that tells nothing does not', async () => {
    assert.equal(await runsOnBattery(join(tmpdir(), 'no-such-folder-of-power-supplies')), false);
  });
});
