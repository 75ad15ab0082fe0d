import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { columns } from '../../../src/api/schemas/fields.ts';
import type { Catalog, DemoReport } from '../../../src/demo/catalog.ts';
import { Holdings } from '../../../src/demo/holdings.ts';
import { createFieldGuide } from '../../../src/demo/pdf/report.ts';
import { catalogOf } from '../../support/demo/generated.ts';
import { rename } from '../../support/demo/mutations.ts';

const catalog = catalogOf(40);
const withFiles = catalog.reports.filter((report) => report.has_file);

function report(from: Catalog, key: string): DemoReport {
  const found = from.reports.find((each) => each.report_key === key);
  assert.ok(found, key);
  return found;
}

/** What the pages say; the PDFs are not compressed. */
function said(bytes: Uint8Array): string {
  const text = new TextDecoder('windows-1252').decode(bytes);
  return [...text.matchAll(/\((.*?)\) Tj/g)].map((match) => match[1]).join('\n');
}

const saidIn = async (key: string) => said((await catalog.pdf(report(catalog, key))).bytes);

describe('Demo PDFs', () => {
  it('are the same bytes on any machine', async () => {
    const { sha256, bytes } = await catalog.pdf(report(catalog, 'XETR_ALBM_2023_AR2'));
    assert.equal(sha256, '9a769d27a6996d420941aff079da55204f077c898e476b0bde15e69b136ee6f7');
    assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256);
    const scan = await catalog.pdf(report(catalog, 'XNSE_SURYAGIRI_2016_AR1'));
    assert.equal(scan.sha256, 'e8c61e859b2d5c4976eaee27c09087d6ef19825bc40b5d719fbde2da0f47a164');
  });

  it('change with the file, but not with the record', async () => {
    const own = catalogOf(30);
    const holdings = new Holdings(own);
    for (const each of [report(own, 'XPAR_VMIS_2022_AR2'), own.reports.filter(({ has_file }) => has_file).at(-1)]) {
      assert.ok(each);
      const first = await holdings.pdf(each);
      holdings.keep(each);
      each.report_title = 'Another title';
      rename(holdings, each, `${each.report_key}_9`);
      assert.equal((await holdings.pdf(each)).sha256, first.sha256);
      holdings.replaceFile(each);
      const second = await holdings.pdf(each);
      assert.notEqual(second.sha256, first.sha256);
      assert.match(said(second.bytes), /Another title/);
    }
  });

  it('differ from report to report and are PDFs of 10 to 40 pages', async () => {
    const hashes = new Set<string>();
    const sample = withFiles.filter((_, index) => index % 9 === 0);
    for (const each of sample) {
      const { bytes, pages, sha256 } = await catalog.pdf(each);
      hashes.add(sha256);
      const text = Buffer.from(bytes).toString('latin1');
      assert.ok(text.startsWith('%PDF-1.') && text.trimEnd().endsWith('%%EOF'));
      assert.equal(text.match(/\/Type \/Page\b(?!s)/g)?.length, pages);
      assert.ok(pages >= 10 && pages <= 40, `${each.report_key}: ${pages} pages`);
      assert.ok(bytes.length < 1_500_000, `${each.report_key}: ${bytes.length} bytes`);
      assert.doesNotMatch(said(bytes), /\{\w+\}|undefined|NaN/, each.report_key);
    }
    assert.equal(hashes.size, sample.length);
  });

  it('name every object where it is', async () => {
    for (const key of ['XETR_ALBM_2023_AR2', 'XNSE_SURYAGIRI_2016_AR1']) {
      const text = Buffer.from((await catalog.pdf(report(catalog, key))).bytes).toString('latin1');
      const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
      const [, count = '', entries = ''] = /^xref\n0 (\d+)\n([\s\S]*)trailer/.exec(text.slice(table)) ?? [];
      const places = [...entries.matchAll(/^(\d{10}) 00000 n $/gm)].map((match) => Number(match[1]));
      assert.equal(places.length + 1, Number(count));
      places.forEach((place, index) => {
        assert.ok(text.startsWith(`${index + 1} 0 obj\n`, place), `${index + 1}`);
      });
      for (const [, length, at] of [...text.matchAll(/\/Length (\d+) >>\nstream\n/g)].map((match) => {
        return [match, Number(match[1]), match.index + match[0].length] as const;
      })) {
        assert.match(text.slice(at + length, at + length + 11), /^\n?endstream/);
      }
    }
  });

  it('label their front matter in roman numerals, so that labels differ from page numbers', async () => {
    const { bytes } = await catalog.pdf(report(catalog, 'XETR_ALBM_2023_AR2'));
    const text = Buffer.from(bytes).toString('latin1');
    const [, front] = /\/PageLabels << \/Nums \[0 << \/S \/r >> (\d+) << \/S \/D >>\]/.exec(text) ?? [];
    assert.equal(front, '3');
    const lines = said(bytes);
    assert.match(lines, /^Seite ii$[\s\S]*^Seite iii$[\s\S]*^Seite 1$[\s\S]*^Seite 2$/m);
    assert.match(lines, /^Über diesen Bericht\niii$/m);
  });

  it('speak the report’s language, and both of a bilingual one', async () => {
    assert.match(await saidIn('XETR_ALBM_2023_AR2'), /Über diesen Bericht/);
    assert.match(await saidIn('XPAR_VMIS_2022_AR2'), /Énergie et eau/);
    const both = await saidIn('XTSE_KSMM_2023_SR');
    assert.ok(both.includes('Climate and emissions') && both.includes('Énergie et eau'));
    for (const key of ['XTKS_6Q41_2022_IR', 'XMAD_TRMN_2024_IR'])
      assert.match(await saidIn(key), /Climate and emissions/);
  });

  it('are scans without any text for some old reports: an image a page', async () => {
    const { bytes, pages } = await catalog.pdf(report(catalog, 'XNSE_SURYAGIRI_2016_AR1'));
    assert.equal(said(bytes), '');
    assert.equal(
      Buffer.from(bytes)
        .toString('latin1')
        .match(/\/Subtype \/Image/g)?.length,
      pages,
    );
    assert.notEqual(await saidIn('XNSE_SURYAGIRI_2017_AR1'), '');
  });

  it('include a field guide that names every column', () => {
    const text = said(createFieldGuide(columns));
    for (const { number, name } of columns) assert.ok(text.includes(`${number}. ${name}`), name);
  });
});
