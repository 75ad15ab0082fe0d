import assert from 'node:assert/strict';
import { machineFolder } from '../../../src/machine/place.ts';

describe('the folder of this machine', () => {
  const home = '/people/me';

  it('lies where each system keeps caches', () => {
    const on = (platform: NodeJS.Platform, env = {}) => machineFolder({ platform, env, home }).replaceAll('\\', '/');
    assert.equal(on('linux'), '/people/me/.cache/report-library');
    assert.equal(on('linux', { XDG_CACHE_HOME: '/scratch' }), '/scratch/report-library');
    assert.equal(on('darwin', { XDG_CACHE_HOME: '/scratch' }), '/people/me/Library/Caches/report-library');
    assert.equal(
      on('win32', { LOCALAPPDATA: 'C:/people/me/AppData/Local' }),
      'C:/people/me/AppData/Local/report-library',
    );
  });

  it('is never below where a program happens to run', () => {
    for (const XDG_CACHE_HOME of ['', 'cache', './cache'])
      assert.equal(
        machineFolder({ platform: 'linux', env: { XDG_CACHE_HOME }, home }),
        '/people/me/.cache/report-library',
      );
  });
});
