import assert from 'node:assert/strict';
import { readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mock } from 'node:test';
import type { Report } from '../../../src/api/schemas/report.ts';
import { writePointer } from '../../../src/tools/pointer.ts';
import { tokensOf } from '../../../src/tools/tool.ts';
import { answerTool, tools } from '../../../src/tools/tools.ts';
import { bring } from '../library/support/stores.ts';
import { known, makeToolWorld, type ToolWorld, withPdf } from './support/toolWorld.ts';

describe('the tools of assistants', () => {
  let world: ToolWorld;
  before(async () => {
    world = await makeToolWorld();
  });
  after(() => world.dispose());

  /** All reports of a list, page by page. */
  const allFound = async (input: object) => {
    const found: { report_id: number; report_key: string; sha256: string | null }[] = [];
    for (let cursor: unknown; ; ) {
      const { value, isError } = await world.ask('find_reports', { ...input, ...(cursor ? { cursor } : {}) });
      assert.equal(isError, false, JSON.stringify(value));
      assert.ok(tokensOf(JSON.stringify(value)) <= 4000);
      found.push(...(value.reports as typeof found));
      if (value.next === null) return found;
      cursor = value.next;
    }
  };

  const [first] = withPdf;
  if (!first) throw new Error('No report has a hash.');

  it('find companies by name, key and identifier, and leave what is ambiguous so', async () => {
    const { company_key, company_lei } = first;
    const { value } = await world.ask('find_companies', { queries: [company_key, company_lei, 'a', 'no such name'] });
    const results = value.results as { ambiguous: boolean; matched: boolean; companies: { company_key: string }[] }[];
    assert.deepEqual(
      results.slice(0, 2).map(({ companies, ambiguous }) => [companies[0]?.company_key, ambiguous]),
      [
        [company_key, false],
        [company_key, false],
      ],
    );
    assert.deepEqual(
      results.slice(2).map(({ matched, ambiguous }) => [matched, ambiguous]),
      [
        [true, true],
        [false, false],
      ],
    );
  });

  it('find reports by three-valued flags, page by page, with key and hash', async () => {
    const flags = { standards_gri: 'undetermined' } as const;
    const wanted = known.filter((report) => report.standards_gri === null);
    const found = await allFound({ flags, limit: 20 });
    assert.ok(found.every(({ report_key, sha256 }) => report_key !== '' && sha256 !== undefined));
    assert.deepEqual(
      found.map(({ report_id }) => report_id).sort((a, b) => a - b),
      wanted.map(({ report_id }) => report_id),
    );
    assert.equal((await world.ask('find_reports', { flags })).value.total, wanted.length);
  });

  it('read a report, by id or key, with what is unknown and where its PDF is', async () => {
    for (const report of [first.report_id, String(first.report_id), first.report_key]) {
      const { value } = await world.ask('read_report', { report });
      assert.equal(value.report_key, first.report_key);
      assert.equal((value.pdf as { path: string }).path.startsWith(world.workspace), true);
      const columns = Object.keys(value.metadata as object).length + (value.unknown as string[]).length;
      assert.equal(columns, 50);
    }
  });

  it('name no PDF whose bytes are others now, or that a link leads to', async () => {
    const pathNow = async () => {
      const { value } = await world.ask('read_report', { report: first.report_id });
      return (value.pdf as { path: string | null }).path;
    };
    const file = (await pathNow()) ?? '';
    const other = `${file}.kept`;
    renameSync(file, other);
    writeFileSync(file, 'forged');
    assert.equal(await pathNow(), null);
    rmSync(file);
    symlinkSync(other, file);
    assert.equal(await pathNow(), null);
    rmSync(file);
    renameSync(other, file);
    const folder = dirname(file);
    renameSync(folder, `${folder}.kept`);
    symlinkSync(`${folder}.kept`, folder);
    assert.equal(await pathNow(), null);
    rmSync(folder);
    renameSync(`${folder}.kept`, folder);
    assert.equal(await pathNow(), file);
  });

  it('name no PDF by a row whose key the report never had', async () => {
    const lock = join(world.workspace, 'reports', 'reports.lock.json');
    const text = readFileSync(lock, 'utf8');
    writeFileSync(lock, text.replace(`"report_key":"${first.report_key}"`, '"report_key":"XNYS_OTHER_2023_SR"'));
    const { value } = await world.ask('read_report', { report: first.report_id });
    assert.equal((value.pdf as { path: string | null }).path, null);
    writeFileSync(lock, text);
  });

  it('say that a Git LFS pointer is there in place of a PDF', async () => {
    const [{ report_id, report_key, content_sha256 } = first] = withPdf;
    const path = join(world.workspace, 'reports', `${report_id}.pdf`);
    const before = readFileSync(path);
    const pointer = ['version https://git-lfs.github.com/spec/v1', `oid sha256:${content_sha256}`, 'size 1', ''];
    writeFileSync(path, pointer.join('\n'));
    const { value } = await world.ask('read_report', { report: report_key });
    const { path: found, problem } = value.pdf as { path: unknown; problem?: string };
    assert.equal(found, null);
    assert.match(problem ?? '', /Git LFS pointer, not the PDF\. Run git lfs pull, or restore/);
    writeFileSync(path, before);
  });

  it('name no PDF that is named in a lock file and is not there', async () => {
    const { value } = await world.ask('read_report', { report: withPdf.at(-1)?.report_id });
    assert.deepEqual(value.pdf, { path: null, pages_with_text: 4 });
  });

  it('say to find a report that is not there, and which input was wrong', async () => {
    const missing = await world.ask('read_report', { report: 99_999_999 });
    assert.ok(missing.isError);
    assert.match(String(missing.value.error), /reportlibrary_find_reports/);
    const wrong = await world.ask('find_reports', { limit: 1000, color: 'red' });
    assert.match(String(wrong.value.error), /limit: Too big.*color.*Inputs are: text, company_key/);
  });

  it('read nothing while nobody is signed in, and begin again when somebody is', async () => {
    rmSync(world.pointer);
    const { isError, value } = await world.ask('find_reports', {});
    assert.ok(isError);
    assert.match(String(value.error), /Not signed in.*Sign In/);
    writePointer(world.pointer, world.pointed);
    assert.equal((await world.ask('find_reports', {})).isError, false);
    if (process.platform !== 'win32') assert.equal(statSync(world.pointer).mode & 0o777, 0o600);
  });

  it('answer from the pages of what the library in use publishes, and of nothing else', async () => {
    const found = await world.ask('search_pages', { query: 'emissions', limit: 10 });
    const hits = found.value.hits as { report_key: string; sha256: string; page: number }[];
    assert.equal(hits.length, 10);
    assert.ok(hits.every(({ page, sha256 }) => page === 2 && withPdf.some((pdf) => pdf.content_sha256 === sha256)));
    assert.doesNotMatch(JSON.stringify((await world.ask('search_pages', { query: 'CANARY*' })).value), /ANOTHER/);
  });

  it('say which change came when, and how old the library is', async () => {
    const { value } = await world.ask('list_changes', {});
    assert.deepEqual(Object.keys(value), ['note', 'synced_at', 'changes', 'next']);
    for (const since of ['yesterday', 'last 7', '7', '2026', '2026-02-30', '2026-01-31T12:00', 'Jan 5, 2026'])
      assert.match(String((await world.ask('list_changes', { since })).value.error), /Write it as 2026-01-31/, since);
    for (const since of ['2999-01-31', '2999-01-31T12:00:00Z', '2999-01-31T12:00:00+02:00'])
      assert.deepEqual((await world.ask('list_changes', { since })).value.changes, [], since);
  });

  it('explain fields, and how this library fills them', async () => {
    const { value } = await world.ask('explain_field', { field: 'report_type' });
    assert.equal(value.field, 'type');
    assert.equal(value.filled, known.filter(({ metadata }) => metadata.type !== '').length);
    const all = await world.ask('explain_field', {});
    assert.ok((all.value.fields as string[]).includes('gri_level: string'));
  });

  it('fit the metadata of a report into a call, however long its values are', async () => {
    const long = Object.fromEntries(Object.keys(first.metadata).map((name) => [name, '環'.repeat(5_000)]));
    bring(world.library, [{ ...first, report_id: 900_001, report_key: 'XTST_LONG_2020_SR', metadata: long } as Report]);
    const { value, isError } = await world.ask('read_report', { report: 900_001 });
    assert.equal(isError, false);
    assert.ok(tokensOf(JSON.stringify(value)) <= 4000);
    assert.equal(Object.keys(value.metadata as object).length, 50);
  });

  it('say which fields of a report changed', async () => {
    const changed = {
      ...first,
      report_title: 'Another title',
      metadata: { ...first.metadata, report_title: 'Another' },
    };
    bring(world.library, [changed as Report]);
    const { value } = await world.ask('list_changes', { kinds: ['metadata'] });
    const [change] = value.changes as { report_id: number; fields: string[] }[];
    assert.equal(change?.report_id, first.report_id);
    assert.ok(change?.fields.length && change.fields.every((field) => /^[a-z_]{4,}$/.test(field)), `${change?.fields}`);
  });

  it('go on with a list only where it was left off, by the same inputs', async () => {
    const { value } = await world.ask('find_reports', { limit: 3 });
    const next = String(value.next);
    assert.equal((await world.ask('find_reports', { cursor: next, limit: 5 })).isError, false);
    const foreign: [string, object][] = [
      ['find_reports', { cursor: next, sort: 'published' }],
      ['find_reports', { cursor: next, language: ['de'] }],
      ['find_reports', { cursor: `${next}1` }],
      ['find_reports', { cursor: '2023.17' }],
      ['list_changes', { cursor: next }],
      ['search_pages', { query: 'emissions', cursor: next }],
    ];
    for (const [name, input] of foreign) {
      const { isError, value: said } = await world.ask(name, input);
      assert.ok(isError, JSON.stringify(input));
      assert.match(String(said.error), /cursor.*belongs to other inputs/);
    }
  });

  it('fit companies of long names into a call, and say which queries are left', async () => {
    const long = (at: number) => `${'環'.repeat(150)}${at}`;
    const companies = Array.from({ length: 10 }, (_, at) => ({
      ...first,
      ...{ report_id: 910_000 + at, report_key: `XLNG_${at}_2020_SR`, company_key: `XLNG_${at}` },
      ...{ company_name: long(at), company_sector: long(at), company_industry: long(at), company_country: long(at) },
    }));
    bring(world.library, companies as Report[]);
    const queries = companies.map(({ company_key }) => company_key);
    const seen: string[] = [];
    while (seen.length < queries.length) {
      const { value, isError } = await world.ask('find_companies', { queries: queries.slice(seen.length) });
      assert.equal(isError, false, JSON.stringify(value));
      assert.ok(tokensOf(JSON.stringify(value)) <= 4000);
      const results = value.results as { companies: { company_key: string }[] }[];
      seen.push(...results.map(({ companies: [found] }) => found?.company_key ?? ''));
      assert.equal(value.unanswered ?? 0, queries.length - seen.length);
    }
    assert.deepEqual(seen, queries);
  });

  it('fit a list of long titles into a call, and go on behind what is in it', async () => {
    const keys = (await allFound({ text: 'XLNG', limit: 20 })).map(({ report_key }) => report_key);
    assert.deepEqual([keys.length, new Set(keys).size], [10, 10]);
  });

  it('answer from what is in use when they are through: nobody’s library after a sign-out in the middle', async () => {
    const asked = answerTool(
      'reportlibrary_explain_field',
      { field: 'type' },
      world.sources,
      AbortSignal.timeout(9_000),
    );
    rmSync(world.pointer);
    assert.match((await asked).text, /Not signed in/);
    writePointer(world.pointer, world.pointed);
  });

  it('open their files once, however many ask at once', async () => {
    world.sources.close();
    const opened = await Promise.all(Array.from({ length: 5 }, () => world.sources.ports()));
    assert.equal(new Set(opened.map(({ library }) => library)).size, 1);
  });

  it('keep their files while a call takes long, and let them go some time after it', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const library = await world.sources.during(async () => {
        const ports = await world.sources.ports();
        mock.timers.tick(60_000);
        assert.ok(ports.library.totals());
        return ports.library;
      });
      mock.timers.tick(60_000);
      assert.throws(() => library.totals());
    } finally {
      mock.timers.reset();
    }
  });

  it('let the library be removed under them', async () => {
    assert.equal((await world.ask('find_reports', {})).isError, false);
    rmSync(world.pointed.library);
    assert.match(String((await world.ask('find_reports', {})).value.error), /not been loaded/);
  });

  it('are described to a model in at most 3,000 tokens', () => {
    const list = JSON.stringify(
      tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    );
    assert.ok(list.length / 3.5 <= 3000, `${list.length} characters`);
  });
});
