import assert from 'node:assert/strict';
import { plainText } from '../../../../src/base/words.ts';
import { labelText, notificationText } from '../../../../src/editor/common/messages.ts';

describe('text of the service for labels and notifications', () => {
  it('is at most 300 characters', () => {
    const text = plainText('x'.repeat(4_000));
    assert.equal(text.length, 300);
    assert.ok(text.endsWith('…'));
  });

  it('never makes a live link in a notification', () => {
    assert.doesNotMatch(notificationText('[click](command:workbench.action.quit)'), /\[.*\]\(/);
  });

  it('never makes an icon in a label', () => {
    assert.doesNotMatch(labelText('$(flame) hot'), /\$\(/);
  });
});
