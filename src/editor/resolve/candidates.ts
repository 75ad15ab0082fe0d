import { recognise } from '../../identifiers/recognise.ts';
import { parseCompanyKey } from '../../identifiers/reportKey.ts';
import { type LibraryCompany, sortName } from '../../library/companyQuery.ts';
import type { LibraryCalls } from '../../library/library.ts';
import type { Candidate } from '../../protocol/resultsView.ts';

/** Words that too many names share to say which company is meant: legal forms, articles, what companies call themselves. */
const common = new Set(
  `ab ag aktiengesellschaft and as asa bank banking berhad bhd bv co company corp corporation cv da das de der die do du
  et e y group groupe gruppe gmbh grupo gruppo holding holdings inc incorporated international kg kgaa la las le les llc
  limited los lp ltd ltda nv of oy oyj plc pt sa sab sarl se sas societe spa srl tbk the trust und`.split(/\s+/),
);
const maxWords = 6;
const maxPerWord = 200;

/**
 * The companies on this machine that share a significant word with a text, those that share most of them first. They are
 * offered to a person; none is ever chosen for them (RES-2).
 */
export async function companiesLike(library: LibraryCalls, text: string): Promise<LibraryCompany[]> {
  const { kind, value } = recognise(text);
  // The market of a ticker says nothing about the company.
  const all = wordsOf(kind === 'ticker' ? value.slice(value.indexOf(':')) : text);
  const significant = all.filter((word) => word.length > 1 && !common.has(word));
  const words = (significant.length > 0 ? significant : all).slice(0, maxWords);
  const found = await Promise.all(words.map((word) => library.findCompanies(word, maxPerWord)));
  const shared = new Map<string, { readonly company: LibraryCompany; count: number }>();
  for (const [index, companies] of found.entries()) {
    for (const company of companies) {
      const { company_key, company_name, ticker } = company;
      // The index finds beginnings of words too.
      if (!wordsOf(`${company_name ?? ''} ${company_key} ${ticker ?? ''}`).includes(words[index] as string)) continue;
      const entry = shared.get(company_key) ?? { company, count: 0 };
      entry.count += 1;
      shared.set(company_key, entry);
    }
  }
  return [...shared.values()].sort((a, b) => b.count - a.count).map(({ company }) => company);
}

/** A company as a person chooses it, with the text that the service resolves to it alone. */
export function candidateOf({ company_key, company_name, lei }: LibraryCompany): Candidate {
  const parts = parseCompanyKey(company_key);
  const text = parts?.listed ? `${parts.mic}:${parts.ticker}` : (lei ?? company_key);
  return { name: company_name ?? company_key, text };
}

function wordsOf(text: string): string[] {
  return [...new Set(sortName(text.slice(0, 500)).match(/[\p{L}\p{N}]+/gu) ?? [])];
}
