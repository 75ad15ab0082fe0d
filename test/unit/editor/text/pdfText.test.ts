import assert from 'node:assert/strict';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { App } from '../../../../src/app/app.ts';
import type { Session } from '../../../../src/app/session.ts';
import { Emitter } from '../../../../src/base/disposable.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { PdfText } from '../../../../src/editor/text/pdfText.ts';
import { publicationDay } from '../../../../src/editor/text/published.ts';
import type { LibraryChange } from '../../../../src/library/libraryChange.ts';
import type { ReportQuery } from '../../../../src/library/reportQuery.ts';
import type { HerePdf, TextIndex } from '../../../../src/text/textIndex.ts';
import { found, hashOf, summary } from './support/foundPages.ts';

const nothing = { searchable: 0, withoutText: 0, failed: 0, waiting: 0, reading: null, paused: null };
const lists = { withoutText: [], failed: [], waiting: [], partly: [] };
const all = { words: '' };
const first = { limit: 10, cursor: null };

/** An index that holds what it was told, with a hit on the first page of each PDF that may answer. */
class FakeIndex implements Partial<TextIndex> {
  here: readonly HerePdf[] = [];
  published: readonly string[] = [];
  texts = new Set<string>();
  asked: (readonly string[] | null)[] = [];
  readonly onDidChange = new Emitter<null>().event;

  async setHere(pdfs: readonly HerePdf[]) {
    this.here = pdfs;
    for (const { sha256 } of pdfs) this.texts.add(sha256);
  }
  async setPublished(sha256s: readonly string[]) {
    this.published = sha256s;
  }
  async setEnabled() {}
  async coverage(sha256s: readonly string[] | null) {
    return { ...nothing, searchable: this.here.filter(({ sha256 }) => sha256s?.includes(sha256)).length, lists };
  }
  async search({ shas }: { readonly shas: readonly string[] | null }, _signal?: AbortSignal) {
    this.asked.push(shas);
    const may = this.published.filter((sha256) => shas === null || shas.includes(sha256));
    const hits = may.map((sha256) => ({ ...found(summary(1), 1), sha256 }));
    return { hits, next: null, terms: ['net'] };
  }
  async readNow(sha256s: readonly string[]) {
    return sha256s.map((sha256) => ({ sha256, status: 'read' as const, pages: 3 }));
  }
  async held() {
    return [...this.texts];
  }
  async forget(sha256s: readonly string[]) {
    for (const sha256 of sha256s) this.texts.delete(sha256);
  }
  async dispose() {}
}

describe('the text of the PDFs that are here', () => {
  let folder = '';
  let connected: AbortController;
  /** Reports whose hash the library publishes. */
  let published: number[] = [];
  let elsewhere: number[] = [];
  let named: { report: number; of?: number }[] = [];
  let session: Session = { kind: 'signedOut' };
  let phase = 'following';
  let complete = true;
  /** What keeps the library from answering. */
  let fault: Error | undefined;
  /** A report that has the same PDF as report 1. */
  let twin: number | undefined;
  let index = new FakeIndex();
  /** Whether there is an index of before. */
  let kept = false;
  /** Called while other libraries are asked. */
  let meanwhile = () => {};
  let text: PdfText;
  let sessions = new Emitter<Session>();
  let changes = new Emitter<Pick<LibraryChange, 'reports'>>();
  let removed = new Emitter<void>();
  const connection = { id: 'c', name: 'C', isDemo: false } as unknown as Extract<
    Session,
    { kind: 'signedIn' }
  >['connection'];
  const isPublished = (sha256: string) => published.some((id) => hashOf(id) === sha256);

  const library = {
    onDidChange: (listener: (change: Pick<LibraryChange, 'reports'>) => void) => changes.event(listener),
    syncRecord: async () => ({ phase }),
    reportsOfHashes: async (shas: readonly string[]) => {
      if (fault) throw fault;
      const found = shas.filter(isPublished).map((sha256) => summary(Number(sha256)));
      return twin === undefined ? found : [...found, summary(twin, { sha256: hashOf(1) })];
    },
    reportIds: async ({ among, company_key, fcyear }: ReportQuery) =>
      (among ?? [])
        .flatMap(({ ids }) => ids.map((id) => summary(id)))
        .filter((one) => company_key?.includes(one.company_key) ?? true)
        .filter((one) => fcyear?.includes(one.fiscal_year) ?? true)
        .map(({ report_id }) => report_id),
  };

  const signOut = () => {
    session = { kind: 'signedOut' };
    connected.abort();
    connected = new AbortController();
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pdf-text-'));
    connected = new AbortController();
    [complete, fault, twin, kept, meanwhile] = [true, undefined, undefined, false, () => {}];
    [published, elsewhere, named, phase] = [[1, 2], [], [{ report: 1 }, { report: 2 }], 'following'];
    [index, sessions, changes, removed] = [new FakeIndex(), new Emitter(), new Emitter(), new Emitter()];
    session = { kind: 'signedIn', connection };
    for (const id of [1, 2, 3]) await writeFile(join(folder, `${id}.pdf`), '%PDF');
    const downloads = {
      onDidChange: new Emitter<never>().event,
      readablePdfs: async () =>
        named.map(({ report, of = report }) => ({
          uri: { fsPath: join(folder, `${report}.pdf`) },
          row: { report_id: report, sha256: hashOf(of), bytes: 4 },
        })),
      keptFiles: async () => [],
      checkedFile: async () => undefined,
    };
    const ports = {
      services: {
        get session() {
          return session;
        },
        ready: async () => session,
        async library() {
          if (!('connection' in session)) throw new Error('You are not signed in.');
          return { library, connection, signal: connected.signal };
        },
        get signal() {
          return connected.signal;
        },
        onDidChangeSession: sessions.event,
      },
      log: silentLogger,
      downloads: { open: async () => downloads, onDidChange: new Emitter<unknown>().event },
      marks: { here: async () => [], onDidChange: new Emitter<unknown>().event },
      sync: { onDidChangeState: new Emitter<unknown>().event },
      async publishedElsewhere(shas: readonly string[]) {
        meanwhile();
        return { published: shas.filter((sha256) => elsewhere.some((id) => hashOf(id) === sha256)), complete };
      },
      onDidRemoveLibrary: removed.event,
    } as unknown as App;
    text = new PdfText(ports, { exists: async () => kept, open: async () => index as unknown as TextIndex });
  });

  afterEach(async () => {
    text.dispose();
    await rm(folder, { recursive: true });
  });

  const hits = async (scope: Parameters<PdfText['find']>[0]['scope'] = all) => {
    await text.settled();
    return (await text.find({ query: 'net', scope }, first)).pages.map(({ report }) => report.report_id);
  };

  it('answers for reports by the hash that the library publishes, never by a lock file alone', async () => {
    // The lock says that these bytes are of report 2; the library says of report 1. Nobody publishes those of 3.
    named = [{ report: 2, of: 1 }, { report: 3 }];
    assert.deepEqual(await hits(), [1]);
    assert.deepEqual(
      index.here.map(({ sha256 }) => sha256),
      [hashOf(1)],
    );
    const { others } = await text.coverage();
    assert.deepEqual(
      others.map(({ reportId }) => reportId),
      [3],
    );
    assert.deepEqual(
      (await text.read([1, 2, 3, 4])).map(({ outcome }) => (typeof outcome === 'string' ? outcome : outcome.status)),
      ['read', 'no-pdf', 'other-file', 'no-pdf'],
    );
  });

  it('answers for each report that the same bytes are published for', async () => {
    twin = 4;
    assert.deepEqual(await hits(), [1, 4, 2]);
    assert.deepEqual(await hits({ words: '', reportIds: [4] }), [4]);
    assert.deepEqual(
      (await text.read([1, 4])).map(({ outcome }) => (typeof outcome === 'string' ? outcome : outcome.status)),
      ['read', 'read'],
    );
  });

  it('answers for nothing that was withdrawn since it last looked, or while it looks', async () => {
    await text.settled();
    published = [2];
    assert.deepEqual(await hits(), [2]);
    assert.deepEqual(await hits({ words: '', reportIds: [1] }), []);
  });

  it('has no file read that a link leads to', async () => {
    await rm(join(folder, '1.pdf'));
    await symlink(join(folder, '3.pdf'), join(folder, '1.pdf'));
    assert.equal((await text.coverage()).searchable, 1);
    assert.deepEqual(
      index.here.map(({ path }) => path),
      [join(folder, '2.pdf')],
    );
  });

  it('is narrowed to reports, a company or a year', async () => {
    assert.deepEqual(await hits(), [1, 2]);
    assert.deepEqual(await hits({ words: '', reportIds: [2, 9] }), [2]);
    assert.deepEqual(await hits({ words: '', query: { company_key: ['XTST_A'], fcyear: [2023, 2024] } }), [1, 2]);
    assert.deepEqual(await hits({ words: '', query: { fcyear: [2023] } }), []);
    assert.deepEqual(index.asked, [null, [hashOf(2)], [hashOf(1), hashOf(2)]]);
  });

  it('answers nothing once nobody is signed in, and keeps the text of a library that is still here', async () => {
    elsewhere = [1, 2];
    assert.deepEqual(await hits(), [1, 2]);
    signOut();
    sessions.fire(session);
    await assert.rejects(hits(), /not signed in/);
    assert.equal(await text.state(), 'signedOut');
    assert.deepEqual([index.here, index.published], [[], []]);
    assert.equal(index.texts.size, 2);
  });

  it('answers for nothing of the connection before, from the moment on that another is in use', async () => {
    const [page] = (await text.find({ query: 'net', scope: all }, first)).pages;
    assert.ok(page && text.answers(page));
    let told = 0;
    text.onDidChange(() => {
      told += 1;
    });
    sessions.fire({ kind: 'keyRefused', connection } as Session);
    assert.ok(text.answers(page));
    sessions.fire({ kind: 'signedIn', connection: { ...connection, id: 'other' } });
    assert.deepEqual([text.answers(page), told], [false, 1]);
  });

  it('answers from nothing that it knew before a look that failed', async () => {
    assert.deepEqual(await hits(), [1, 2]);
    [published, fault] = [[1], new Error('The library is busy.')];
    changes.fire({ reports: [2] });
    for (let times = 0; times < 2; times += 1) await assert.rejects(hits(), /busy/);
    fault = undefined;
    assert.deepEqual(await hits(), [1]);
  });

  it('deletes the text of what was withdrawn, and keeps what another library here publishes', async () => {
    named.push({ report: 3 });
    published = [1, 2, 3];
    assert.deepEqual(await hits(), [1, 2, 3]);
    [published, elsewhere] = [[1], [3]];
    changes.fire({ reports: [2, 3] });
    assert.deepEqual(await hits(), [1]);
    assert.deepEqual([...index.texts], [hashOf(1), hashOf(3)]);
  });

  it('deletes nothing while a library is not loaded whole, this one or another', async () => {
    phase = 'loading';
    assert.deepEqual(await hits(), [1, 2]);
    published = [1];
    changes.fire({ reports: [2] });
    assert.deepEqual(await hits(), [1]);
    assert.equal(index.texts.size, 2);
    [phase, complete] = ['following', false];
    changes.fire({ reports: [2] });
    assert.deepEqual(await hits(), [1]);
    assert.equal(index.texts.size, 2);
  });

  it('deletes the text of a library that was removed, whoever is signed in', async () => {
    session = { kind: 'signedOut' };
    index.texts = new Set([hashOf(1), hashOf(2)]);
    [kept, elsewhere] = [true, [2]];
    await text.forgetUnpublished();
    assert.deepEqual([...index.texts], [hashOf(2)]);
  });

  it('deletes what is published no more where an index of before is, though no PDF is here', async () => {
    [named, published, kept] = [[], [1], true];
    index.texts = new Set([hashOf(1), hashOf(2)]);
    await text.settled();
    assert.deepEqual([...index.texts], [hashOf(1)]);
    published = [];
    changes.fire({ reports: [1] });
    await text.settled();
    assert.deepEqual([index.texts.size, index.here], [0, []]);
  });

  it('deletes it where finding in PDFs is switched off, too', async () => {
    const original = vscode.workspace.getConfiguration;
    vscode.workspace.getConfiguration = () => ({ inspect: () => ({ defaultValue: false }) }) as never;
    try {
      [published, kept] = [[1], true];
      index.texts = new Set([hashOf(1), hashOf(2)]);
      assert.equal(await text.state(), 'off');
      assert.deepEqual([[...index.texts], index.here], [[hashOf(1)], []]);
    } finally {
      vscode.workspace.getConfiguration = original;
    }
  });

  it('deletes what a removed library published while the one in use is still loading, also after it failed once', async () => {
    [phase, complete, published] = ['loading', false, [1]];
    assert.deepEqual(await hits(), [1]);
    index.texts = new Set([hashOf(1), hashOf(2)]);
    await text.forgetUnpublished();
    assert.equal(index.texts.size, 2);
    complete = true;
    text.refresh();
    await text.settled();
    assert.deepEqual([...index.texts], [hashOf(1)]);
  });

  it('deletes nothing on the word of a connection that is in use no more', async () => {
    assert.deepEqual(await hits(), [1, 2]);
    published = [1];
    meanwhile = signOut;
    text.refresh();
    await text.settled();
    assert.equal(index.texts.size, 2);
  });

  it('sorts by publication, else by the end of the fiscal year', () => {
    const day = (published: string | null, period_end: string | null, fiscal_year: number | null) =>
      publicationDay({ published, period_end, fiscal_year });
    assert.equal(day('1970-01-03', null, null), 2);
    assert.ok(day('2025', null, null) < day('2025-03', null, null));
    assert.equal(day(null, '1970-01-05', 1990), 4);
    assert.equal(day(null, null, 1970), 364);
    assert.equal(day('soon', null, null), 0);
    assert.equal(publicationDay(undefined), 0);
  });
});
