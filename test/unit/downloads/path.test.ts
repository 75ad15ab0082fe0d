import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Report } from '../../../src/api/schemas/report.ts';
import { folderProblem, isSafePath, ReportPaths, safeSegment, templateProblem } from '../../../src/downloads/path.ts';
import { foldedName, isObeyedFolder } from '../../../src/files/guard.ts';
import { report } from './fixtures.ts';

const reportPath = (facts: Report, template?: string, room?: number) =>
  new ReportPaths(new Map(), template, room).of(facts);

function reportPaths(reports: readonly Report[], held: ReadonlyMap<number, string>): Map<number, string> {
  const paths = new ReportPaths(held);
  const sorted = reports.toSorted((a, b) => a.report_id - b.report_id);
  return new Map(sorted.map((one) => [one.report_id, paths.of(one)]));
}

/** What each system refuses or reads as something else; written apart from the code under test. */
const rules: Readonly<Record<string, (name: string) => boolean>> = {
  windows: (name) =>
    // biome-ignore-start lint/suspicious/noControlCharactersInRegex: they are what Windows refuses
    !/[<>:"/\\|?*\u0000-\u001f\u007f]/.test(name) &&
    // biome-ignore-end lint/suspicious/noControlCharactersInRegex: end
    !/[. ]$/.test(name) &&
    !/^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)\s*(\.|$)/i.test(name) &&
    !/~\d/.test(name) &&
    name.isWellFormed() &&
    name.length <= 255,
  macos: (name) =>
    !/[/:\0]/.test(name) &&
    name === name.normalize('NFC') &&
    Buffer.byteLength(name.normalize('NFD')) <= 255 &&
    !/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/.test(name),
  linux: (name) => !/[/\0]/.test(name) && name !== '.' && name !== '..' && Buffer.byteLength(name) <= 80,
  tools: (name) => !name.startsWith('.') && !isObeyedFolder(name) && name.trim() === name && name.length > 0,
};

const nasty = [
  ...['..', '.', '', ' ', '/', '\\', '../../etc/passwd', '..\\..\\x', '/abs', 'C:\\x', 'C:x'],
  ...['//host/share', '\\\\?\\C:\\', 'CON', 'con.pdf', 'NUL.tar.gz', 'COM1', 'com¹.x', 'LPT³', 'LPT0'],
  ...['CONIN$', 'CONOUT$.a', 'AUX ', 'PRN .txt', 'CLOCK$', '.git', '.GIT', '.g\u200cit', 'git~1'],
  ...['.git.', '.git ', '.git::$INDEX_ALLOCATION', '.vscode', '.devcontainer', 'a:b', 'a<b>c', 'a|b?c*'],
  ...['"quoted"', 'trailing.', 'trailing ', 'a\u0000b', 'a\u001fb', 'a\u007fb', 'a\u0085b'],
  ...['\u202efdp.exe', 'e\u0301', '\ud800', 'x\udfff', '\u2028', '\ufeffbom', '🏳️‍🌈'.repeat(40)],
  ...['ä'.repeat(300), 'x'.repeat(300), 'ﬁ', 'İ', 'ß', 'ſ', '\u0301'.repeat(300)],
  ...[`a${'\u0301'.repeat(200)}`, '%2e%2e%2f', '{report_id}', '$HOME', '`id`', '-rf'],
];
const hostile = fc.oneof(
  fc.constantFrom(...nasty),
  fc.string({ unit: 'binary', maxLength: 120 }),
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc.array(fc.constantFrom(...nasty, 'a', '.', ' '), { maxLength: 6 }).map((parts) => parts.join('')),
);

describe('names of files', function () {
  this.timeout(30_000);
  it('stay as they are when they are safe already, also when made safe twice', () => {
    for (const name of ['XDEM_ACME', '2023', 'UNLT_Größe & Söhne', '株式会社', "O'Neill (Extract)"]) {
      assert.equal(safeSegment(name), name);
    }
    fc.assert(fc.property(hostile, (text) => safeSegment(safeSegment(text)) === safeSegment(text)));
  });

  it('have a plain sign where a character is none for names, each time it stands there', () => {
    for (const [text, name] of [
      ['a~b', 'a_b'],
      ['a\ud800b', 'a_b'],
      ['a/b:c', 'a_b_c'],
      ['..a', '_a'],
      ['a. .', 'a'],
      ['a\u200eb', 'ab'],
      ['...', '_'],
      ['', '_'],
      ['con', 'con_'],
    ] as const)
      assert.equal(safeSegment(text), name, JSON.stringify(text));
  });

  it('are cut only when they are longer than they may be, by whole characters, without a blank or dot at the end', () => {
    assert.equal(safeSegment('abcdefghijklmnop', '', 16), 'abcdefghijklmnop');
    assert.match(safeSegment('abcdefghijklmnopq', '', 16), /^abcdefg-[0-9a-f]{8}$/);
    assert.match(safeSegment('abc. efghijklmnop', '', 14), /^abc-[0-9a-f]{8}$/);
    assert.match(safeSegment('äöüäöüäöüäöü', '', 16), /^äöü-[0-9a-f]{8}$/);
  });

  it('that had to be cut differ when the whole differs', () => {
    const long = 'a'.repeat(300);
    assert.notEqual(safeSegment(`${long}1`, '.pdf'), safeSegment(`${long}2`, '.pdf'));
    assert.equal(safeSegment(`${long}1`, '.pdf'), safeSegment(`${long}1`, '.pdf'));
    assert.ok(Buffer.byteLength(safeSegment(long, '.pdf')) <= 80);
    assert.ok(safeSegment(long, '.pdf').endsWith('.pdf'));
  });
});

describe('path of a report', function () {
  this.timeout(30_000);
  it('follows the template', () => {
    assert.equal(reportPath(report()), 'XDEM_ACME/2022/XDEM_ACME_2023_SR.pdf');
    const facts = report({
      report_type: 'SR',
      report_lang: 'en;fr',
      report_title: 'Our Planet, 2022!',
      company_name: 'Acme',
    });
    assert.equal(
      reportPath(facts, '{company_name}\\{cover_year}/{language}-{report_type}-{title}-{report_id}'),
      'Acme/2023/en-fr-SR-our-planet-2022-7.pdf',
    );
  });

  it('files undated reports as such, and old two-year strings under the first year', () => {
    assert.match(reportPath(report({ report_fcyear: null, report_year: 0 })), /^XDEM_ACME\/undated\//);
    assert.match(reportPath(report({ report_fcyear: '2018/2019' })), /^XDEM_ACME\/2018\//);
  });

  it('never leaves the folder, is never too long, and is one we know as ours, for 10,000 hostile reports', () => {
    const templates = [
      '{company_key}/{fiscal_year}/{report_key}.pdf',
      '../{title}/./..//{company_name}',
      '/{report_key}',
      '{x}{language}',
    ];
    fc.assert(
      fc.property(hostile, hostile, hostile, fc.constantFrom(...templates), (key, company, title, template) => {
        const facts = report({ report_key: key, company_key: company, company_name: company, report_title: title });
        const path = reportPath(facts, template);
        assert.ok(path.length <= 240 && isSafePath(path) && !path.split('/').includes('..'), path);
        assert.ok(reportPath(facts, template, 60).length <= 60);
        for (const name of path.split('/')) for (const accepts of Object.values(rules)) assert.ok(accepts(name), path);
      }),
      { numRuns: 10_000 },
    );
  });

  it('has its names cut alike, and no more than the room asks for; where none is left it is the report id', () => {
    const facts = report({ company_key: 'C'.repeat(80), report_key: 'K'.repeat(80) });
    const lengths = (room: number) =>
      reportPath(facts, undefined, room)
        .split('/')
        .map((name) => name.length);
    for (const [most, least, limit] of [
      [240, 166, 80],
      [165, 134, 64],
      [133, 102, 48],
      [101, 78, 36],
    ] as const) {
      for (const room of [most, least]) assert.deepEqual(lengths(room), [limit, 4, limit], `room for ${room}`);
    }
    assert.equal(reportPath(facts, undefined, 77), '7.pdf');
    const key = 'K'.repeat(80);
    const twins = new ReportPaths(new Map([[1, `${key.slice(0, 76)}.pdf`]]), '{report_key}', 30);
    assert.equal(twins.of(report({ report_id: 8, report_key: key })), '8.pdf');
  });

  it('keeps the last eight names of a template, its names that hold something, and one ".pdf"', () => {
    assert.equal(reportPath(report(), 'a/b/c/1/2/3/4/5/6/7/{report_key}'), '1/2/3/4/5/6/7/XDEM_ACME_2023_SR.pdf');
    assert.equal(reportPath(report(), '/ //x/{report_key}.PDF '), 'x/XDEM_ACME_2023_SR.pdf');
    for (const empty of ['', ' / ', '\\']) assert.equal(reportPath(report(), empty), 'XDEM_ACME_2023_SR.pdf');
    const slashed = report({ company_name: 'a/b\\c' });
    assert.equal(reportPath(slashed, '{company_name}/{report_key}'), 'a_b_c/XDEM_ACME_2023_SR.pdf');
    assert.equal(reportPath(report(), '{nope}-{constructor}'), '{nope}-{constructor}.pdf');
  });

  it('says "unknown" for what is not known', () => {
    assert.equal(
      reportPath(report(), '{company_name}/{country}/{sector}/{report_type}/{language}/{title}-{report_id}'),
      'unknown/unknown/unknown/unknown/unknown/unknown-7.pdf',
    );
  });

  it('gets the report id where another report has the name, whatever the case', () => {
    const reports = [
      report({ report_id: 3, report_key: 'Key' }),
      report({ report_id: 1, report_key: 'KEY' }),
      report({ report_id: 2, report_key: 'KEY-3' }),
    ];
    const paths = reportPaths(reports, new Map());
    assert.equal(paths.get(1), 'XDEM_ACME/2022/KEY.pdf');
    assert.equal(paths.get(2), 'XDEM_ACME/2022/KEY-3.pdf');
    assert.equal(paths.get(3), 'XDEM_ACME/2022/Key-3-2.pdf');
  });

  it('never gives two reports one file, for hostile keys', () => {
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 12 }), (keys) => {
        const reports = keys.map((report_key, index) => report({ report_id: index + 1, report_key }));
        const paths = [...reportPaths(reports, new Map([[99, 'XDEM_ACME/2022/_.pdf']])).values()].map(foldedName);
        assert.equal(new Set(paths).size, keys.length);
        assert.ok(!paths.includes(foldedName('XDEM_ACME/2022/_.pdf')));
      }),
      { numRuns: 500 },
    );
  });

  it('stays where the report lies already, though its key was renamed, unless that path is not one of ours', () => {
    const renamed = report({ report_key: 'XDEM_NEW_2023_SR', company_key: 'XDEM_NEW' });
    assert.equal(reportPaths([renamed], new Map([[7, 'a/b.pdf']])).get(7), 'a/b.pdf');
    const notOurs = ['../b.pdf', '/b.pdf', 'a/../../b.pdf', '.git/b.pdf', 'a\\b.pdf', 'C:b.pdf', 'a/b.exe', 'a//b.pdf'];
    for (const evil of notOurs) {
      assert.equal(reportPaths([renamed], new Map([[7, evil]])).get(7), 'XDEM_NEW/2022/XDEM_NEW_2023_SR.pdf', evil);
    }
  });
});

describe('path of a merged report', () => {
  it('is that of the id that the merge retired, unless the survivor has one', () => {
    const held = new Map([[3, 'a/b.pdf']]);
    assert.equal(new ReportPaths(held).of(report(), 3), 'a/b.pdf');
    assert.equal(new ReportPaths(new Map([...held, [7, 'own.pdf']])).of(report(), 3), 'own.pdf');
    const taken = new ReportPaths(held);
    taken.of(report(), 3);
    assert.notEqual(taken.of(report({ report_id: 8 }), 9), 'a/b.pdf');
  });
});

describe('settings of paths', () => {
  it('are told what is wrong with them', () => {
    assert.equal(templateProblem('{company_key}/{fiscal_year}/{report_key}.pdf'), undefined);
    assert.match(templateProblem('{nope}/{report_key}') ?? '', /\{nope\} is not a placeholder/);
    assert.match(templateProblem('{__proto__}/{report_key}') ?? '', /not a placeholder/);
    const refused = [
      '{company_key}',
      '/{report_id}',
      'C:/{report_id}',
      '../{report_id}',
      'a//{report_id}',
      '.x/{report_id}',
    ];
    for (const bad of refused) assert.ok(templateProblem(bad), bad);
    assert.ok(templateProblem(`${'a/'.repeat(8)}{report_id}`));
    assert.equal(templateProblem(`${'a/'.repeat(7)}{report_id}`), undefined);
  });

  it('accept plain relative folders and nothing else', () => {
    for (const good of ['reports', 'data/pdf reports', '.data/reports'])
      assert.equal(folderProblem(good), undefined, good);
    const [absolute, dots, tools, systems] = [/not absolute/, /must not contain/, /that tools use/, /some systems/];
    for (const [message, ...bad] of [
      [absolute, '/x', '~/x', 'C:\\x'],
      [dots, '', '.', '..', 'a/../b'],
      [tools, '.git/x', 'x/.VSCODE'],
      [systems, 'con', 'reports/lpt1.old', 'a/b:c', 'a\u202eb', 'a?b', 'a|b/reports', 'reports~1'],
    ] as const)
      for (const folder of bad) assert.match(folderProblem(folder) ?? '', message, folder);
  });
});
