const withholdingCountries = new Set(['us', 'usa', 'united states', 'united states of america', 'ca', 'can', 'canada']);

/** Why an ISIN is missing, in two or three words (COM-2). For other countries the service doesn't tell. */
export function missingIsinCause(country: string | null): string {
  return withholdingCountries.has(country?.trim().toLowerCase() ?? '') ? 'withheld' : 'withheld or unknown';
}

/** What to say where an ISIN is missing (COM-2), with the identifiers that can be used instead. */
export function missingIsin(company: {
  readonly country: string | null;
  readonly lei: string | null;
  readonly figi: string | null;
}): string {
  const withheld = missingIsinCause(company.country) === 'withheld';
  const cause = withheld ? 'Withheld for US and Canadian issuers' : 'Withheld or unknown';
  const others = [company.lei === null ? null : 'LEI', company.figi === null ? null : 'FIGI'].filter((name) => name);
  return others.length > 0 ? `${cause}; use the ${others.join(' or ')}` : cause;
}
