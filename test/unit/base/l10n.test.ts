import assert from 'node:assert/strict';
import { reportTypeName } from '../../../src/api/schemas/reportTypes.ts';
import { errorOf } from '../../../src/api/transport/refusedAnswer.ts';
import { l10n } from '../../../src/base/l10n.ts';
import { firstLook } from '../../../src/protocol/coverage.ts';
import { coverageExport } from '../../../src/protocol/coverageRows.ts';
import { sampleCoverage } from '../../support/panels/coverage.ts';

describe('words in the reader’s language', () => {
  afterEach(() => l10n.speak('en'));

  it('are the literals themselves until somebody says what they are called', () => {
    assert.equal(l10n.t('{0} of {1}', 3, '1,000'), '3 of 1,000');
    assert.equal(l10n.t('{report_key} stays'), '{report_key} stays');
    assert.equal(l10n.language(), 'en');
  });

  it('keep what they are given as it is, placeholders and dollars in it too', () => {
    l10n.speak('de', { '{0} of {1}': '{1}, davon {0}' });
    assert.equal(l10n.t('{0} of {1}', '$&{1}', 'constructor'), 'constructor, davon $&{1}');
    assert.equal(l10n.t('{0} and {1}', 'one'), 'one and {1}');
  });

  it('take no word from what every object has', () => {
    l10n.speak('de', {});
    assert.equal(l10n.t('constructor'), 'constructor');
    assert.equal(l10n.word('toString'), 'toString');
  });

  it('reach tables that were there before, and the cause of a problem', () => {
    const cause = 'The service has a temporary problem ({0}).';
    l10n.speak('de', { 'Sustainability Report': 'Nachhaltigkeitsbericht', [cause]: 'Vorübergehend gestört ({0}).' });
    assert.equal(reportTypeName('SR'), 'Nachhaltigkeitsbericht');
    const { problem } = errorOf({ status: 503, headers: {}, body: new Uint8Array() }, 0, []);
    assert.equal(problem.cause, 'Vorübergehend gestört (503).');
  });

  it('leave files for programs as they are', () => {
    const [look, view] = [firstLook, sampleCoverage(3)];
    const english = coverageExport(view, look, 'csv');
    l10n.speak('de', { downloaded: 'heruntergeladen', available: 'verfügbar' });
    assert.equal(coverageExport(view, look, 'csv'), english);
    assert.match(coverageExport(view, look, 'markdown'), /heruntergeladen|verfügbar/);
  });
});
