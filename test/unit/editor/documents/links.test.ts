import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LocalLibrary } from '../../../../src/app/session.ts';
import { isAbortError } from '../../../../src/base/clock.ts';
import { Emitter } from '../../../../src/base/disposable.ts';
import { linkTarget, linkTo, lookUp } from '../../../../src/editor/documents/links.ts';
import { oddText } from '../../../support/languages/oddText.ts';

describe('a link to a report or a company', () => {
  it('names a report by id or key, or a company by key', () => {
    assert.deepEqual(linkTarget('/report/100482'), { kind: 'report', idOrKey: 100_482 });
    assert.deepEqual(linkTarget('/report/XFRA_NWK_2024_SR'), { kind: 'report', idOrKey: 'XFRA_NWK_2024_SR' });
    assert.deepEqual(linkTarget('/company/UNLT_Änderung'), { kind: 'company', key: 'UNLT_Änderung' });
  });

  it('is written so that it reads back', () => {
    const text = linkTo({ kind: 'company', key: 'UNLT_A&B' }, 'vscode');
    assert.equal(text, 'vscode://report-library.report-library/company/UNLT_A%26B');
    assert.deepEqual(linkTarget(decodeURIComponent(new URL(text).pathname)), { kind: 'company', key: 'UNLT_A&B' });
  });

  it('may name a page of the report, and nothing else behind it', () => {
    const text = linkTo({ kind: 'report', idOrKey: 1042, page: 57 }, 'vscode');
    assert.equal(text, 'vscode://report-library.report-library/report/1042#page=57');
    assert.deepEqual(linkTarget('/report/1042', 'page=57'), { kind: 'report', idOrKey: 1042, page: 57 });
    for (const fragment of ['page=0', 'page=-1', 'page=1.5', 'page=1234567', 'page=1&x=2', 'Page=1', 'text=x', 'page='])
      assert.deepEqual(linkTarget('/report/1042', fragment), { kind: 'report', idOrKey: 1042 }, fragment);
    assert.deepEqual(linkTarget('/company/A', 'page=57'), { kind: 'company', key: 'A' });
  });

  it('may name a quote by its id, and by nothing else', () => {
    assert.deepEqual(linkTarget('/evidence/0a1b2c3d4e5f'), { kind: 'evidence', key: '0a1b2c3d4e5f' });
    for (const path of [
      '/evidence/',
      '/evidence/ABCD',
      '/evidence/a_b_c',
      '/evidence/a/b',
      `/evidence/${'a'.repeat(65)}`,
    ])
      assert.equal(linkTarget(path), undefined, path);
  });

  it('may name the table of all reports with what it is narrowed to', () => {
    const filter = { type: ['SR', null], text: 'wind & 100% "power"', facts: { standards_gri: null }, favorite: true };
    const text = linkTo({ kind: 'table', filter }, 'vscode');
    assert.match(text, /^vscode:\/\/report-library\.report-library\/table#filter=%7B/);
    assert.deepEqual(linkTarget('/table', decodeURIComponent(new URL(text).hash.slice(1))), { kind: 'table', filter });
    assert.equal(linkTo({ kind: 'table', filter: {} }, 'vscode'), 'vscode://report-library.report-library/table');
    assert.deepEqual(linkTarget('/table/'), { kind: 'table', filter: {} });
    assert.deepEqual(linkTarget('/table', 'filter={"type":"SR","command":"x","__proto__":{"text":"y"}}'), {
      kind: 'table',
      filter: { type: ['SR'] },
    });
  });

  it('holds no filter that is none, is too long, or has a text in it that can’t be seen', () => {
    const hostile = [
      ...['page=1', 'filter=', 'filter=7', 'filter=[]', 'filter={', 'filter={"type":7}', 'filter={"fcyear":["2020"]}'],
      ...['filter={"facts":{"constructor":true}}', 'filter={"downloaded":"yes"}', 'filter={"text":"a\\u202eb"}'],
      ...['filter={"country":["a\u2066b"]}', 'filter={"text":"\\ud800"}', `filter={"text":"${'x'.repeat(4000)}"}`],
    ];
    for (const fragment of hostile) assert.equal(linkTarget('/table', fragment), undefined, fragment.slice(0, 80));
    assert.throws(() => linkTo({ kind: 'table', filter: { sector: ['a\u202eb'] } }, 'vscode'), /fit into a link/);
    for (const path of ['/table/x', '/tables', '/table//', '/Table']) assert.equal(linkTarget(path), undefined, path);
  });

  it('names nothing when it is anything else', () => {
    const hostile = [
      ...[
        '',
        '/',
        '/report',
        '/report/',
        '/report//1',
        '/company/',
        '/reports/1',
        '/Report/1',
        'report/1',
        '//report/1',
      ],
      ...[
        '/report/1/download',
        '/report/../company/x',
        '/report/1?download=1',
        '/report/1#x',
        '/report/a b',
        '/report/a\\b',
      ],
      ...[
        '/report/\u202e1',
        '/report/a\nb',
        '/report/a\0',
        `/report/${'x'.repeat(201)}`,
        '/signIn/x',
        '/command/x',
        '/report/\ud800',
      ],
    ];
    for (const path of hostile) assert.equal(linkTarget(path), undefined, JSON.stringify(path));
  });

  it('holds one plain key at most, whatever somebody writes', () => {
    fc.assert(
      fc.property(oddText, (text) => {
        const target = linkTarget(`/report/${text}`);
        if (target?.kind !== 'report') return;
        assert.match(String(target.idOrKey), /^[^/\\?#\p{C}\p{Z}]{1,200}$|\p{Co}|\p{Cn}/u);
      }),
    );
  });
});

describe('what a link names', () => {
  /** A library that is being loaded; each step of the load changes it. */
  function loading() {
    const changed = new Emitter<void>();
    const state = { phase: 'loading', report: null as string | null };
    const library = { syncRecord: async () => ({ phase: state.phase }), onDidChange: changed.event };
    const connected = new AbortController();
    const local = { library, signal: connected.signal } as unknown as LocalLibrary;
    const leave = () => connected.abort();
    const step = (change: Partial<typeof state>) => {
      Object.assign(state, change);
      changed.fire();
    };
    return { local, step, leave, look: async () => state.report };
  }

  it('is found once the first load has brought it', async () => {
    const { local, step, look } = loading();
    let looks = 0;
    const found = lookUp(local, async () => {
      looks += 1;
      if (looks === 2) setImmediate(() => step({}));
      if (looks === 3) setImmediate(() => step({ report: 'A 2024' }));
      return look();
    });
    assert.equal(await found, 'A 2024');
    assert.equal(looks, 4);
  });

  it('is missing as soon as all is loaded, and not before', async () => {
    const { local, step, look } = loading();
    const found = lookUp(local, look);
    step({ phase: 'following' });
    assert.equal(await found, null);
  });

  it('is waited for until the person cancels', async () => {
    const { local, look } = loading();
    await assert.rejects(lookUp(local, look), isAbortError);
  });

  it('is waited for no longer once another connection, or none, is in use', async () => {
    const { local, leave, look } = loading();
    const found = lookUp(local, async () => {
      setImmediate(leave);
      return look();
    });
    await assert.rejects(found, /signed out or switched connections/);
  });
});
