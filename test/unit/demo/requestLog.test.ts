import assert from 'node:assert/strict';
import { routeNameOf, routeNames } from '../../support/demo/requestLog.ts';

describe('route names', () => {
  it('tells the thirteen endpoints and the files apart', () => {
    assert.equal(routeNames.length, 14);
    for (const name of routeNames) {
      const [method = '', path = ''] = name.split(' ');
      const real = name === 'GET /files' ? '/files/1.pdf' : `/api/v2${path.replace('{report_id}', '17')}`;
      assert.equal(routeNameOf(method, real), name);
      assert.equal(routeNameOf('PUT', real), undefined);
    }
    assert.equal(routeNameOf('GET', '/api/v2/reports/1/2/download'), undefined);
    assert.equal(routeNameOf('GET', '/api/v1/reports'), undefined);
  });
});
