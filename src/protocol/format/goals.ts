const names = [
  'No poverty',
  'Zero hunger',
  'Good health and well-being',
  'Quality education',
  'Gender equality',
  'Clean water and sanitation',
  'Affordable and clean energy',
  'Decent work and economic growth',
  'Industry, innovation and infrastructure',
  'Reduced inequalities',
  'Sustainable cities and communities',
  'Responsible consumption and production',
  'Climate action',
  'Life below water',
  'Life on land',
  'Peace, justice and strong institutions',
  'Partnerships for the goals',
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
      return name === undefined ? { number: part, name: null } : { number: number as string, name };
    });
}
