import assert from 'node:assert/strict';
import { verifyQuoteTool } from '../../../src/tools/readPages.ts';
import type { ToolPorts } from '../../../src/tools/tool.ts';

const sha256 = 'a'.repeat(64);

/** A report of 600 pages, all of them with this text; counts those that are read. */
function portsOf(text: string) {
  const read: number[] = [];
  const pdf = { sha256, pages: 600, state: 'text' };
  const report = { report_id: 1, report_key: 'XTST_1_2024_SR', content_sha256: sha256 };
  const page = (_: unknown, number: number) => {
    read.push(number);
    return { text, label: null };
  };
  const ports = {
    library: { report: () => ({ report, state: 'listed' }) },
    text: { store: { page }, pdfs: () => new Map([[sha256, { pdf, reports: [report] }]]) },
  };
  return { read, ports: async () => ports as unknown as ToolPorts };
}

const dots = '. '.repeat(39_000);
const asked = { report: 1, page: 1, quote: `${'. '.repeat(599)}x` };

describe('Looking for a quote on other pages', () => {
  it('ends with the call', async () => {
    const { read, ports } = portsOf(dots);
    const abort = new AbortController();
    const answer = verifyQuoteTool.answer(asked, ports, abort.signal);
    setImmediate(() => abort.abort());
    await assert.rejects(answer, { name: 'AbortError' });
    assert.ok(read.length < 20, `${read.length} pages`);
  });

  it('ends after so much text, and says with which page', async () => {
    const { read, ports } = portsOf(dots);
    const { text } = await verifyQuoteTool.answer(asked, ports, new AbortController().signal);
    const { verdict, looked_up_to_page: last } = JSON.parse(text);
    assert.equal(verdict, 'no');
    assert.ok(last < 100 && last === read.at(-1), `${last}`);
    const short = portsOf('A short page.');
    const all = await verifyQuoteTool.answer(asked, short.ports, new AbortController().signal);
    assert.equal(JSON.parse(all.text).looked_up_to_page, undefined);
    assert.equal(short.read.length, 600);
  });
});
