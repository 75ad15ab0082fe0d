import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { columns } from '../../../../src/api/schemas/fields.ts';
import type { Catalogue, DemoReport } from '../../../../src/demo/catalogue.ts';
import { createCatalogue } from '../../../../src/demo/seed/catalogue.ts';
import { createFieldGuide } from '../../../../src/demo/seed/fieldGuide.ts';

const catalogue = createCatalogue({ companies: 40, seed: 1 });
const withFiles = catalogue.reports.filter((report) => report.has_file);

function report(from: Catalogue, key: string): DemoReport {
  const found = from.reports.find((each) => each.report_key === key);
  assert.ok(found, key);
  return found;
}

/** What the pages say; the PDFs are not compressed. */
function said(bytes: Uint8Array): string {
  const text = new TextDecoder('windows-1252').decode(bytes);
  return [...text.matchAll(/\((.*?)\) Tj/g)].map((match) => match[1]).join('\n');
}

describe('Demo PDFs', () => {
  it('are the same bytes on any machine', async () => {
    const { sha256, bytes } = await catalogue.pdf(report(catalogue, 'XETR_ALBM_2023_AR2'));
    assert.equal(sha256, 'f9705eef2b5530b45d67154c226d72971a5cf6b6379d923104530ca4e0e838ba');
    assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256);
    const generated = withFiles.find((each) => each.report_id > 1_000_000);
    assert.ok(generated);
    assert.equal(
      (await catalogue.pdf(generated)).sha256,
      '005f4070da075484701dcd9afd6e110b86892e4a5446f9997d5b5d0616e957f7',
    );
  });

  it('are the same for the same seed, report and file version, whatever was asked before', async () => {
    const other = createCatalogue({ companies: 40, seed: 1 });
    for (const each of withFiles.filter((_, index) => index % 60 === 0).reverse()) {
      assert.deepEqual(await other.pdf(report(other, each.report_key)), await catalogue.pdf(each));
    }
  });

  it('change with the file version, but not with the record', async () => {
    for (const each of [report(catalogue, 'XPAR_VMIS_2022_AR2'), withFiles.at(-1)]) {
      assert.ok(each);
      const first = await catalogue.pdf(each);
      const renamed = { ...each, report_title: 'Another title', report_key: 'XPAR_OTHER_2022_AR2' };
      assert.equal((await catalogue.pdf(renamed)).sha256, first.sha256);
      assert.notEqual((await catalogue.pdf({ ...each, fileVersion: 1 })).sha256, first.sha256);
    }
  });

  it('differ from report to report and are small PDFs of several pages', async () => {
    const hashes = new Set<string>();
    const sample = withFiles.filter((_, index) => index % 12 === 0);
    for (const each of sample) {
      const { bytes, pages, sha256 } = await catalogue.pdf(each);
      hashes.add(sha256);
      const text = Buffer.from(bytes).toString('latin1');
      assert.ok(text.startsWith('%PDF-1.') && text.trimEnd().endsWith('%%EOF'));
      assert.equal(text.match(/\/Type \/Page\b(?!s)/g)?.length, pages);
      assert.ok(pages >= 3 && pages <= 10, `${each.report_key}: ${pages} pages`);
      assert.ok(bytes.length < 40_000, `${each.report_key}: ${bytes.length} bytes`);
      assert.doesNotMatch(said(bytes), /\{\w+\}|~~|undefined|NaN/, each.report_key);
    }
    assert.equal(hashes.size, sample.length);
  });

  it('speak the report’s language, and both of a bilingual one', async () => {
    const text = async (key: string) => said((await catalogue.pdf(report(catalogue, key))).bytes);
    assert.match(await text('XETR_ALBM_2023_AR2'), /Über diesen Bericht/);
    assert.match(await text('XPAR_VMIS_2022_AR2'), /Énergie et eau/);
    const both = await text('XMAD_TRMN_2024_IR');
    assert.ok(both.includes('Clima y emisiones') && both.includes('Climate and emissions'));
    assert.match(await text('XTKS_6Q41_2022_IR'), /Integrated Report 2022/);
  });

  it('state the same emissions for a year in every report', async () => {
    const text = async (key: string) => said((await catalogue.pdf(report(catalogue, key))).bytes);
    const row = /Scope 1: direct emissions\n([\d,]+)\n([\d,]+)\n([\d,]+)\n([\d,]+)/;
    const earlier = row.exec(await text('XLON_THWK_2021_AR2'));
    const later = row.exec(await text('XLON_THWK_2022_AR2'));
    assert.ok(earlier && later);
    assert.deepEqual(later.slice(1, 4), earlier.slice(2, 5));
  });

  it('are drawn for a report that joined later, and refused without a file', async () => {
    const joined = { ...report(catalogue, 'XPAR_VMIS_2022_AR2'), report_id: 99_999, report_title: 'Tout nouveau' };
    const first = await catalogue.pdf(joined);
    assert.match(said(first.bytes), /Tout nouveau/);
    assert.deepEqual(await catalogue.pdf({ ...joined, report_title: 'Autre' }), first);
    const without = catalogue.reports.find((each) => !each.has_file);
    assert.ok(without);
    await assert.rejects(catalogue.pdf(without), /has no file/);
    await assert.rejects(catalogue.pdf({ ...joined, report_id: 5, company_key: 'XPAR_NONE' }), /no company/);
  });

  it('include a field guide that names every column', async () => {
    const text = said(await createFieldGuide(columns));
    for (const { number, name } of columns) assert.ok(text.includes(`${number}. ${name}`), name);
  });
});
