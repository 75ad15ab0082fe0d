import { l10n } from '../../base/l10n.ts';

/** Three answers that must never look alike (CNV-2). */
export const marks = ['yes', 'no', 'undetermined'] as const;
export type Mark = (typeof marks)[number];

/** Three shapes: full, crossed out, asking; color only adds to them (CNV-2). */
export const markIcons = { yes: 'pass-filled', no: 'circle-slash', undetermined: 'question' } as const;

export function markOf(value: boolean | null): Mark {
  return value === null ? 'undetermined' : value ? 'yes' : 'no';
}

/** What each mark says about a standard, feature or statement, in words. */
export function markWords(mark: Mark): string {
  const words = { yes: l10n.t('Yes'), no: l10n.t('No'), undetermined: l10n.t('Undetermined') };
  return words[mark];
}

/** What the three answers are worth (CNV-2, CNV-3); stands wherever they do. */
export function marksNote(): string {
  return l10n.t(
    'Based on statements in the report, not an audit. “No” means the report rules it out; “undetermined” means it doesn’t say.',
  );
}

/** How a three-valued fact stands in the metadata columns (CNV-4). */
export const markColumnText: Readonly<Record<Mark, string>> = { yes: 'TRUE', no: 'FALSE', undetermined: '' };

const names = [
  l10n.later('No poverty'),
  l10n.later('Zero hunger'),
  l10n.later('Good health and well-being'),
  l10n.later('Quality education'),
  l10n.later('Gender equality'),
  l10n.later('Clean water and sanitation'),
  l10n.later('Affordable and clean energy'),
  l10n.later('Decent work and economic growth'),
  l10n.later('Industry, innovation and infrastructure'),
  l10n.later('Reduced inequalities'),
  l10n.later('Sustainable cities and communities'),
  l10n.later('Responsible consumption and production'),
  l10n.later('Climate action'),
  l10n.later('Life below water'),
  l10n.later('Life on land'),
  l10n.later('Peace, justice and strong institutions'),
  l10n.later('Partnerships for the goals'),
] as const;

/** A Sustainable Development Goal as a report names it. */
export interface Goal {
  /** The number as it came; usually 1 to 17. */
  readonly number: string;
  /** Null for what is no goal's number. */
  readonly name: string | null;
}

/** Reads goal numbers separated by semicolons. A value that is no goal's number is kept without a name. */
export function parseGoals(value: string): Goal[] {
  return value
    .split(/[;,]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const number = /^(?:SDG\s*)?0*(\d{1,2})$/i.exec(part)?.[1];
      const name = number === undefined ? undefined : names[Number(number) - 1];
      return name === undefined ? { number: part, name: null } : { number: number as string, name: l10n.word(name) };
    });
}

const withholdingCountries = new Set(['us', 'usa', 'united states', 'united states of america', 'ca', 'can', 'canada']);

/** Why an ISIN is missing, in two or three words (COM-2). For other countries the service doesn't tell. */
export function missingIsinCause(country: string | null): string {
  return isWithheld(country) ? l10n.t('withheld') : l10n.t('Withheld or unknown');
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
  const others = [company.lei === null ? [] : 'LEI', company.figi === null ? [] : 'FIGI'].flat();
  return others.length > 0
    ? l10n.t('{0}; use the {1}', cause, new Intl.ListFormat(l10n.language(), { type: 'disjunction' }).format(others))
    : cause;
}

function isWithheld(country: string | null): boolean {
  return withholdingCountries.has(country?.trim().toLowerCase() ?? '');
}
