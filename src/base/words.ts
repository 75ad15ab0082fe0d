const controls = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/**
 * Text that somebody else wrote, made fit for a message: controls, invisible and direction-changing characters become
 * blanks, and what is longer than `longest` characters is cut.
 */
export function plainText(text: string, longest = 300): string {
  const clean = text
    .slice(0, longest * 4)
    .replace(controls, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (clean.length <= longest) return clean;
  // Half of a character that takes two places is none.
  return `${clean
    .slice(0, longest - 1)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`;
}

/** `3 s`, `2 min 5 s`, `1 h 4 min`: a wait in ms as a person says it. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return join(`${minutes} min`, seconds % 60, 's');
  return join(`${Math.floor(minutes / 60)} h`, minutes % 60, 'min');
}

function join(first: string, rest: number, unit: string): string {
  return rest === 0 ? first : `${first} ${rest} ${unit}`;
}
