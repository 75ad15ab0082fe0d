import assert from 'node:assert/strict';
import { pageName } from '../../../../src/editor/common/reportNode.ts';
import { HitList } from '../../../../src/editor/text/hitList.ts';
import {
  coverageGaps,
  coverageLine,
  hitCount,
  hitsAsCsv,
  hitsAsMarkdown,
  hitsNote,
  markedRow,
  readingNotes,
  spokenHit,
} from '../../../../src/editor/text/hitWords.ts';
import { found, summary } from './support/foundPages.ts';

const scope = { words: '' };
const listOf = (...pages: ReturnType<typeof found>[]) =>
  new HitList({ query: 'net zero', scope }, { pages, next: null, terms: [] });

describe('the words beside a report with hits', () => {
  const notesOf = (list: HitList) => list.reports.map((node) => hitsNote(node, list.isOneCompany));

  it('name the company where there are several', () => {
    const other = summary(2, { company_key: 'XTST_B', company_name: 'Brand' });
    const list = listOf(found(summary(1), 1), found(other, 1), found(other, 2));
    assert.deepEqual(notesOf(list), ['1 · Aarhorn', '2 · Brand']);
    list.keep(({ report }) => report.report_id === 2);
    assert.deepEqual(notesOf(list), ['2 · English']);
  });

  it('name the language where all are of one company', () => {
    const [other, unknown] = [summary(2, { language: 'de' }), summary(3, { language: null })];
    const list = listOf(found(summary(1), 1), found(other, 1), found(unknown, 1));
    assert.deepEqual(notesOf(list), ['1 · English', '1 · German', '1 · XTST_3_2024_SR']);
  });
});

describe('the words beside what is being read', () => {
  it('say the page where this window reads', () => {
    const reading = { path: '/a.pdf', pages: 1200, of: 4000 };
    assert.equal(readingNotes({ reading, waiting: 4 }), 'Page 1,200 of 4,000 · 3 waiting');
    assert.equal(readingNotes({ reading: { path: '/a.pdf' }, waiting: 4 }), '3 waiting');
  });

  it('do not count it among those that come after it', () => {
    assert.equal(readingNotes({ reading: { path: '/a.pdf', pages: 1, of: 2 }, waiting: 1 }), 'Page 1 of 2');
  });
});

describe('the words of a hit', () => {
  it('name a page by its printed label and its number', () => {
    assert.equal(pageName({ page: 6, label: 'iv' }), 'p. iv (6)');
    assert.equal(pageName({ page: 6, label: '6' }), 'p. 6');
    assert.equal(pageName({ page: 6, label: null }), 'p. 6');
    assert.equal(pageName({ page: 6, label: '\u202e$(bug)' }), 'p. $\u200b(bug) (6)');
  });

  it('are spoken with the page, of how many, and which hit of how many it is', () => {
    const report = summary(1);
    const { hits } = listOf(found(report, 12), found(report, 57, { label: 'A-12' }));
    assert.deepEqual(hits.map(spokenHit), ['Page 12 of 143, hit 1 of 2', 'Page A-12, 57 of 143, hit 2 of 2']);
    const [unsized] = listOf(found(summary(2, { pages: null }), 7)).hits;
    assert.equal(unsized && spokenHit(unsized), 'Page 7, hit 1 of 1');
    const [beyond] = listOf(found(summary(2, { pages: 3 }), 7)).hits;
    assert.equal(beyond && spokenHit(beyond), 'Page 7, hit 1 of 1');
    const [disguised] = listOf(found(summary(2, { pages: null }), 7, { label: '$(bug)' })).hits;
    assert.equal(disguised && spokenHit(disguised), 'Page $\u200b(bug), 7, hit 1 of 1');
  });

  it('count pages and reports, as far as they were read', () => {
    const list = listOf(found(summary(1), 1), found(summary(2), 1));
    assert.equal(hitCount(list), '2 pages in 2 reports');
    assert.equal(hitCount({ ...list, hits: list.hits, next: 'more' }), 'The newest 2 pages in 2 reports');
    assert.equal(hitCount(listOf()), 'No results');
  });

  it('begin a row shortly before the first hit, and say where each is in it', () => {
    const snippet = 'A long way to go, and much to read, before anything is said about net zero, and zero net';
    const at = snippet.indexOf('net zero');
    const marks = [
      [at, at + 8],
      [snippet.length - 8, snippet.length],
    ] as const;
    const { label, highlights } = markedRow('p. 6  ', { snippet, marks });
    assert.ok(label.startsWith('p. 6  …'), label);
    assert.ok((highlights[0]?.[0] ?? 0) <= 6 + 1 + 40);
    assert.deepEqual(
      highlights.map(([from, to]) => label.slice(from, to)),
      ['net zero', 'zero net'],
    );
    assert.equal(markedRow('', { snippet: 'net zero', marks: [[0, 8]] }).label, 'net zero');
  });

  it('take nothing of a PDF for an icon or a turn of direction, with the marks where they were', () => {
    const snippet = 'a $(bug) \u202enet\u202c zero';
    const from = snippet.indexOf('net');
    const { label, highlights } = markedRow('', { snippet, marks: [[from, from + 3]] });
    assert.equal(label, 'a $\u200b(bug)  net  zero');
    assert.deepEqual(
      highlights.map(([a, b]) => label.slice(a, b)),
      ['net'],
    );
  });

  it('say how much is searched, and what not', () => {
    const none = { searchable: 0, withoutText: 0, failed: 0, waiting: 0, others: [] };
    assert.equal(coverageLine(none), '0 PDFs searchable');
    assert.equal(coverageLine({ ...none, searchable: 1 }), '1 PDF searchable');
    assert.equal(coverageLine({ ...none, searchable: 12 }), '12 PDFs searchable');
    const some = { ...none, searchable: 412, withoutText: 11, failed: 4, waiting: 3 };
    assert.equal(coverageLine(some), '412 of 430 PDFs searchable');
    assert.equal(coverageGaps(some), '11 without text (scanned) · 4 failed · 3 waiting');
    assert.equal(coverageGaps({ ...none, others: [{ path: 'a', reportId: 1 }] }), '1 not published by your library');
  });
});

describe('copied hits', () => {
  const hostile = '=cmd|calc <b>net zero</b> [x](command:y)';
  const at = hostile.indexOf('net zero');
  const report = summary(1, { title: '*Report* `2024`' });
  const list = listOf(found(report, 6, { label: 'iv', snippet: hostile, marks: [[at, at + 8]] }), found(report, 9));

  it('are Markdown that is text and nothing else, with key, hash and page', () => {
    const text = hitsAsMarkdown(list.reports, { query: '“net zero” -<i>', scope, notes: ['2 pages in 1 report'] });
    assert.match(text, /^# Find in PDFs: “net zero” -&lt;i&gt;$/m);
    assert.match(text, /^## Aarhorn · \\\*Report\\\* &#96;2024&#96; · FY 2024$/m);
    assert.match(text, /`XTST_1_2024_SR` · SHA-256 `0{63}1`/);
    assert.match(text, /^- p\. iv \(6\): =cmd\\\|calc &lt;b&gt;\*\*net zero\*\*&lt;\/b&gt; \\\[x\\\]\(command:y\)$/m);
    assert.match(text, /^- p\. 9: Our \*\*net zero\*\* target$/m);
  });

  it('are CSV of which no cell runs as a formula', () => {
    const [head, first] = hitsAsCsv(list.reports).split('\r\n');
    assert.equal(head, 'report_key,report_id,company,title,fiscal_year,page,label,hits,sha256,snippet');
    assert.match(first ?? '', /^XTST_1_2024_SR,1,Aarhorn,\*Report\* `2024`,2024,6,iv,1,0{63}1,"'=cmd/);
  });
});
