import assert from 'node:assert/strict';
import { memoryState, type SharedState } from '../../../../src/base/sharedState.ts';
import { FakeClock, settled } from '../../../support/fakeClock.ts';
import { files, names, origin, refusal, setup } from './budgets.ts';

const hour = 3_600_000;
const day = 24 * hour;

describe('a wait that the service asked for', () => {
  it('is shown, and honored to the second', async () => {
    const { clock, budget, sent, pass } = setup();
    const shown: unknown[] = [];
    budget.onDidChangeRate(({ waiting }) => shown.push(waiting));
    await budget.pause(origin, hour, 'Too many requests.', 'origin');
    const waiting = pass('a', { priority: 'interactive' });
    const pause = { until: clock.now() + hour, reason: 'Too many requests.' };
    await clock.advance(hour - 1);
    assert.deepEqual(sent, []);
    assert.deepEqual(shown, [pause]);
    await clock.advance(1);
    await waiting;
    assert.deepEqual(shown, [pause, null]);
    assert.deepEqual(sent, [{ name: 'a', at: hour }]);
  });

  it('does not end early because the clock was put forward', async () => {
    const { clock, budget, sent, pass } = setup();
    await budget.pause(origin, 60_000, '', 'key');
    clock.setBy(day);
    pass('a');
    pass('without key', { kind: 'keyless' });
    await clock.advance(59_000);
    assert.deepEqual(names(sent), ['without key']);
    await clock.advance(1000);
    assert.deepEqual(names(sent), ['without key', 'a']);
  });

  it('holds what was asked, and nothing else', async () => {
    const asked = {
      keyless: { kind: 'keyless' },
      keyed: { kind: 'keyed' },
      link: { kind: 'link' },
      'own file': { kind: 'file' },
      file: { to: files, kind: 'file' },
    } as const;
    for (const [to, scope, held] of [
      [origin, 'origin', ['keyless', 'keyed', 'link', 'own file']],
      [origin, 'key', ['keyed', 'link']],
      [origin, 'links', ['link']],
      [origin, 'files', ['own file']],
      [files, 'files', ['file']],
    ] as const) {
      const { clock, budget, sent, pass } = setup();
      await budget.pause(to, 60_000, '', scope);
      for (const [name, wanted] of Object.entries(asked)) pass(name, wanted);
      await clock.advance(59_000);
      const isHeld = (name: string) => held.some((each) => each === name);
      assert.deepEqual(
        names(sent).sort(),
        Object.keys(asked)
          .filter((name) => !isHeld(name))
          .sort(),
        scope,
      );
      await clock.advance(5000);
      assert.equal(sent.length, 5);
    }
  });

  it('of a host of files that outlasts a link fails at once, so that another link is not counted', async () => {
    const { clock, budget, sent, pass } = setup();
    await budget.pause(files, hour, 'Busy.', 'files');
    const { problem } = await refusal(pass('file', { to: files }));
    assert.deepEqual([problem.kind, problem.cause, problem.retryAfter], ['rate-limited', 'Busy.', hour]);
    assert.deepEqual(await budget.fileWait(), { until: clock.now() + hour, reason: 'Busy.' });
    // A link may lead to the host that answers.
    await pass('other', { to: 'https://more-files.example' });
    assert.equal(await budget.fileWait(), null);
    await clock.advance(hour);
    await pass('file', { to: files });
    assert.deepEqual(names(sent), ['other', 'file']);
  });

  it('binds other windows, and those that start later', async () => {
    const state = memoryState();
    const clock = new FakeClock();
    const minute = 60_000;
    for (const [paused, scope] of [
      [origin, 'origin'],
      [files, 'files'],
    ] as const) {
      await setup(state, clock).budget.pause(paused, minute, 'Too many requests.', scope);
      const later = setup(state, clock);
      later.pass('a', { to: paused });
      await clock.advance(minute - 1);
      assert.deepEqual(later.sent, []);
      await clock.advance(1);
      assert.deepEqual(names(later.sent), ['a']);
    }
  });

  it('above 24 hours fails every request with the time, in any window', async () => {
    const state = memoryState();
    const clock = new FakeClock();
    const { budget, pass } = setup(state, clock);
    await budget.pause(origin, 3650 * day, 'Too many requests.', 'key');
    const later = setup(state, clock);
    for (const call of [pass('a'), later.pass('b', { priority: 'interactive' })]) {
      const { problem } = await refusal(call);
      assert.deepEqual([problem.kind, problem.retryAfter], ['rate-limited', 3650 * day]);
      assert.match(problem.cause, /2036/);
      assert.match(problem.nextStep, /Try Again/);
    }
    assert.equal(later.budget.rate.waiting?.until, clock.now() + 3650 * day);
  });

  it('above 24 hours is over when a person ends it, for every window and every origin', async () => {
    const [state, clock] = [memoryState(), new FakeClock()];
    const [first, second] = [setup(state, clock), setup(state, clock)];
    await first.budget.pause(origin, 30 * day, 'Too many requests.', 'key');
    await first.budget.pause(files, 30 * day, 'Too many requests.', 'files');
    await refusal(second.pass('a'));
    await refusal(second.pass('file', { to: files }));
    await second.budget.endLongPauses();
    assert.equal(second.budget.rate.waiting, null);
    for (const { pass } of [first, second]) {
      pass('after');
      pass('file', { to: files });
    }
    await clock.advance(5000);
    for (const { sent, budget } of [first, second]) {
      assert.deepEqual(names(sent).sort(), ['after', 'file']);
      assert.equal(budget.rate.waiting, null);
    }
    // Asked for once more, it holds once more.
    await first.budget.pause(origin, 40 * day, 'Too many requests.', 'key');
    await refusal(second.pass('next'));
  });

  it('is not cut short by a shorter one, also where the shared state is lost', async () => {
    const values = new Map<string, unknown>();
    const { clock, budget, sent, pass } = setup(memoryState(values));
    await budget.pause(origin, 60_000, '', 'key');
    await budget.pause(origin, 1000, '', 'key');
    values.clear();
    pass('a');
    await clock.advance(59_999);
    assert.deepEqual(sent, []);
    await clock.advance(1);
    assert.deepEqual(names(sent), ['a']);
  });

  it('while the shared state can not be used binds the other windows once it can, and never ends theirs', async () => {
    for (const [asked, theirs] of [
      [60, null],
      [60, 30],
      [60, 90],
    ] as const) {
      const clock = new FakeClock();
      const file = memoryState();
      let current: SharedState = { ...memoryState(), isShared: false };
      const mine: SharedState = {
        get isShared() {
          return current.isShared;
        },
        update: (name, change) => current.update(name, change),
        dispose() {},
      };
      const [alone, other] = [setup(mine, clock), setup(file, clock)];
      await alone.budget.pause(origin, asked * 1000, 'Too many requests.', 'key');
      if (theirs !== null) await other.budget.pause(origin, theirs * 1000, 'Too many requests.', 'key');
      current = file;
      const retried = alone.pass('retried');
      await clock.advance(10);
      const passing = other.pass('other');
      await clock.advance(Math.max(asked, theirs ?? 0) * 1000 - 20);
      assert.deepEqual([names(alone.sent), names(other.sent)], [[], []], `${asked} s, ${theirs} s`);
      await clock.advance(5000);
      await Promise.all([retried, passing]);
    }
  });

  it('up to 24 hours is waited for, whoever tries', async () => {
    const { clock, budget, sent, pass } = setup();
    await budget.pause(origin, day, '', 'key');
    pass('a');
    await settled();
    await budget.endLongPauses();
    await clock.advance(day - 1);
    assert.deepEqual(sent, []);
    await clock.advance(1);
    assert.deepEqual(names(sent), ['a']);
  });
});
