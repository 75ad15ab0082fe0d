import type { IdentifierList } from '../api/schemas/resolve.ts';
import { lazy } from '../base/lazy.ts';
import type { DemoCompany } from './catalogue.ts';

/** The companies that an identifier means: none, one, or several when it is ambiguous. Exact, never guessed (RES-2). */
export type IdentifierIndex = Readonly<Record<IdentifierList, (value: string) => readonly DemoCompany[]>>;

/** Indexes of the companies as they are when first asked, one for each list of the resolve request (RES-1). */
export function indexIdentifiers(companies: readonly DemoCompany[]): IdentifierIndex {
  const by = (valuesOf: (company: DemoCompany) => readonly (string | null)[]) => {
    const found = lazy(() => {
      const map = new Map<string, DemoCompany[]>();
      for (const company of companies) {
        for (const value of new Set(valuesOf(company))) {
          if (value === null || value === '') continue;
          const held = map.get(value);
          if (held) held.push(company);
          else map.set(value, [company]);
        }
      }
      return map;
    });
    return (value: string): readonly DemoCompany[] => found.get().get(value) ?? [];
  };
  const bareTicker = by(({ ticker }) => [ticker]);
  const listing = by(({ mic, ticker }) => [ticker && `${mic}:${ticker}`]);
  return {
    // A withheld ISIN is not shown, but who knows it finds the company.
    isins: by(({ isin }) => [isin]),
    // A ticker alone is ambiguous across exchanges: it resolves nothing, even when one company bears it today.
    tickers: (value) => {
      const exact = listing(value);
      if (exact.length > 0 || value.includes(':')) return exact;
      const bearers = bareTicker(value);
      return bearers.length > 1 ? bearers : [];
    },
    symbols: by(({ ticker, company_key, formerKeys }) => [ticker, company_key, ...formerKeys]),
    leis: by(({ lei }) => [lei]),
    figis: by(({ figi }) => [figi]),
    ciks: by(({ cik }) => [cik]),
    names: by(({ company_name, aliases }) => [company_name, ...aliases]),
  };
}
