import assert from 'node:assert/strict';
import { confirmation } from '../../../../src/editor/tools/door.ts';

const wanted = { report_id: 7, report_key: 'XETR_ALBM_2024_SR', title: 'Report', has_file: true, megabytes: 2.4 };
const spending = { window: 3, perWindow: 10, day: 7, perDay: 50 };
const plan = { connection: 'own', reports: [wanted], megabytes: 2.4, unsized: 0, spending };

describe('what a person is asked before an assistant downloads', () => {
  it('says which reports, how large, what counts, and what assistants have had', () => {
    const { title, message } = confirmation(plan);
    assert.equal(title, 'Let the assistant download 1 PDF?');
    // Not a plain string: a dialog would show its backslashes.
    assert.notEqual(typeof message, 'string');
    assert.deepEqual(message.value.split('\n\n'), [
      'Report (XETR\\_ALBM\\_2024\\_SR)',
      '2.4 MB in all',
      'Each PDF that isn’t downloaded yet counts against your license.',
      'Assistants have downloaded 3 of 10 in this window and 7 of 50 today.',
    ]);
  });

  it('shows a title as text and cut, whatever its signs are', () => {
    const hostile = `[0 MB](https://a.test)\n\n&#8238;<b>${'x'.repeat(500)}`;
    const [line = '', size] = confirmation({ ...plan, reports: [{ ...wanted, title: hostile }] }).message.value.split(
      '\n\n',
    );
    assert.ok(line.startsWith('\\[0 MB\\]\\(https\\:\\/\\/a\\.test\\) \\&\\#8238\\;\\<b\\>xxx'), line);
    assert.ok(line.length < 250);
    assert.equal(size, '2.4 MB in all');
  });
});
