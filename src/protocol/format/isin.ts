import { l10n } from '../../base/l10n.ts';

const withholdingCountries = new Set(['us', 'usa', 'united states', 'united states of america', 'ca', 'can', 'canada']);

/** Why an ISIN is missing, in two or three words (COM-2). For other countries the service doesn't tell. */
export function missingIsinCause(country: string | null): string {
  return isWithheld(country) ? l10n.t('withheld') : l10n.t('withheld or unknown');
}

/** What to say where an ISIN is missing (COM-2), with the identifiers that can be used instead. */
export function missingIsin(company: {
  readonly country: string | null;
  readonly lei: string | null;
  readonly figi: string | null;
}): string {
  const cause = isWithheld(company.country)
    ? l10n.t('Withheld for US and Canadian issuers')
    : l10n.t('Withheld or unknown');
  const others = [company.lei === null ? null : 'LEI', company.figi === null ? null : 'FIGI'].filter((name) => name);
  return others.length > 0 ? l10n.t('{0}; use the {1}', cause, others.join(l10n.t(' or '))) : cause;
}

function isWithheld(country: string | null): boolean {
  return withholdingCountries.has(country?.trim().toLowerCase() ?? '');
}
