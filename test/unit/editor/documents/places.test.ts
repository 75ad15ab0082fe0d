import assert from 'node:assert/strict';
import type { App } from '../../../../src/app/app.ts';
import { placesOf } from '../../../../src/editor/documents/reports.ts';

type Wanted = Parameters<typeof placesOf>[1];

describe('where the PDFs of reports are', () => {
  it('is found in one walk over the rows, however many reports are asked for', async () => {
    let looked = 0;
    const pdfs = Array.from({ length: 300 }, (_, index) => ({
      row: { report_id: Math.floor(index / 2), path: `a/${index}.pdf` },
      uri: { scheme: 'file', fsPath: `/reports/a/${index}.pdf` },
    }));
    const ownPdfs = async (isWanted: (pdf: unknown) => boolean) =>
      pdfs.filter((pdf) => {
        looked += 1;
        return isWanted(pdf);
      });
    const find = async (id: number) => (await ownPdfs((pdf) => (pdf as (typeof pdfs)[0]).row.report_id === id))[0];
    const app = { downloads: { open: async () => ({ ownPdfs, find }) } } as unknown as App;
    const wanted = Array.from({ length: 100 }, (_, index) => ({ report_id: index + 100, has_file: false }));
    const places = await placesOf(app, wanted as unknown as Wanted);
    assert.deepEqual(
      [...places.keys()],
      [...Array(50).keys()].map((index) => index + 100),
    );
    assert.equal(places.get(100)?.uri.fsPath, '/reports/a/200.pdf', 'the first row counts');
    assert.equal(looked, pdfs.length);
  });
});
