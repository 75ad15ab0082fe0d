import { columns } from '../api/schemas/fields.ts';
import { l10n } from '../base/l10n.ts';
import type { CompanyFact } from './company.ts';
import type { KnownCompany } from './companyView.ts';
import { missingIsin } from './format/isin.ts';
import { visibleText } from './format/visibleText.ts';

/** Identity and identifiers. A withheld ISIN is said to be so; CUSIP and SEDOL are never shown (COM-2, COM-3). */
export function companyFacts(company: KnownCompany, locale: string): CompanyFact[] {
  const number = new Intl.NumberFormat(locale);
  const gone = company.gone === 0 ? null : l10n.t('and {0} withdrawn', number.format(company.gone));
  return [
    code('company_key', l10n.t('Company key'), company.company_key),
    code('isin', 'ISIN', company.isin, company.isin === null ? missingIsin(company) : null),
    code('lei', 'LEI', company.lei),
    code('figi', 'FIGI', company.figi),
    code('cik', 'CIK', company.cik),
    code('ticker', l10n.t('Ticker'), company.ticker),
    words('exchange', l10n.t('Exchange'), company.exchange, company.mic),
    words('fiscal_year_end', l10n.t('Fiscal year ends in'), monthName(company.fiscal_year_end_month, locale)),
    words('reports', l10n.t('Reports'), number.format(company.listed), gone),
  ];
}

function code(id: string, label: string, text: string | null, note: string | null = null): CompanyFact {
  return { id, label, isColumn: isColumn(id), text: text === null ? null : visibleText(text), note, isCode: true };
}

function words(id: string, label: string, text: string | null, note: string | null = null): CompanyFact {
  const shown = note === null ? null : visibleText(note);
  const said = text === null ? null : visibleText(text);
  return { id, label, isColumn: isColumn(id), text: said, note: shown, isCode: false };
}

function isColumn(id: string): boolean {
  return columns.some(({ name }) => name === id);
}

function monthName(month: number | null, locale: string): string | null {
  if (month === null || month < 1 || month > 12) return null;
  return new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, month - 1, 1));
}
