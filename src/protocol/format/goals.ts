import { l10n } from '../../base/l10n.ts';

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

/** Reads goal numbers separated by semicolons. What is no number of a goal is kept without a name. */
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
