import * as z from 'zod/mini';
import { breather } from '../base/clock.ts';
import type { StoredPdf } from '../text/pages.ts';
import { checkQuote, type QuoteVerdict } from '../text/quoteCheck.ts';
import { plain, reportInput } from './facts.ts';
import { fenceFor } from './fence.ts';
import { keptPdfText } from './readPages.ts';
import { fits, type ToolPorts, ToolProblem, toolOf } from './tool.ts';

/** Most pages, and characters on them, that are searched for a quote that is not on the named page. */
const [maxOtherPages, maxOtherText] = [600, 4_000_000];

export const verifyQuoteTool = toolOf({
  name: 'verify_quote',
  title: 'Verify Quote',
  description:
    'Says whether a text stands on a page of a report: "verbatim", "nearly" (at least 85 % of it; `differences` says what else stands there) or "no", with the true text, page and sha256. Verify each quote before you give it to the user. Only what is verbatim may be shown as a quotation; else give the true text.',
  input: z.strictObject({
    report: reportInput,
    page: z.int().check(z.minimum(1), z.describe('From 1')),
    quote: z.string().check(z.minLength(1), z.maxLength(2000)),
  }),
  async run({ report, page, quote }, ports, signal) {
    const { pdf, report_id, report_key } = keptPdfText(ports, report);
    if (page > pdf.pages) throw new ToolProblem(`The PDF has ${pdf.pages} pages. Call again with one of them.`);
    const { text = '', label = null } = ports.text?.store.page(pdf, page) ?? {};
    const checked = checkQuote(text, quote);
    const about = { report_id, report_key, sha256: pdf.sha256, page, label: plain(label) };
    if (checked.verdict !== 'no') {
      const told = { ...about, ...fencedVerdict(checked, [report_key, label]) };
      const { around: _, ...brief } = told;
      return fits(told) ? told : brief;
    }
    const { found, last } = await elsewhere(ports, pdf, page, quote, signal);
    return {
      ...{ verdict: 'no', ...about },
      ...(found.length > 0 && { verbatim_on_pages: found }),
      ...(last < pdf.pages && { looked_up_to_page: last }),
    };
  },
});

function fencedVerdict(checked: Exclude<QuoteVerdict, { verdict: 'no' }>, beside: readonly (string | null)[]) {
  const { verdict, text, around } = checked;
  const differences = checked.verdict === 'nearly' ? checked.differences : [];
  const fence = fenceFor([...beside, text, around, ...differences.map((difference) => difference.page)]);
  const told = { verdict, note: fence.note, text: fence.around(text), around: fence.around(around) };
  if (checked.verdict === 'verbatim') return told;
  const shown = differences.map(({ quote, page }) => ({ quote, page: fence.around(page) }));
  return { ...told, share_percent: checked.share, differences: shown };
}

/** Other pages on which it stands word for word: the number of a page is soon mistaken for its label. */
async function elsewhere({ text }: ToolPorts, pdf: StoredPdf, page: number, quote: string, signal: AbortSignal) {
  const found: number[] = [];
  const breathe = breather();
  let last = 0;
  for (let looked = 0; last < Math.min(pdf.pages, maxOtherPages) && looked < maxOtherText && found.length < 5; ) {
    await breathe();
    signal.throwIfAborted();
    last += 1;
    if (last === page) continue;
    const other = text?.store.page(pdf, last)?.text ?? '';
    looked += other.length;
    if (stands(other, quote)) found.push(last);
  }
  return { found, last };
}

const stands = (page: string, quote: string) => checkQuote(page, quote, 'verbatim').verdict === 'verbatim';
