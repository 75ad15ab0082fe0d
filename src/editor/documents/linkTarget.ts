/** What a link names: a report by its id or key, or a company by its key. */
export type LinkTarget =
  | { readonly kind: 'report'; readonly idOrKey: number | string }
  | { readonly kind: 'company'; readonly key: string };

const longestKey = 200;
const idForm = /^[1-9]\d{0,15}$/;

/**
 * Reads the path of a link, `/report/<id or key>` or `/company/<key>`, already decoded by the editor. Anything else, and
 * anything that could not be a key, names nothing.
 */
export function linkTarget(path: string): LinkTarget | undefined {
  const [, kind, key] = /^\/(report|company)\/([^/\\?#\s]+)\/?$/.exec(path) ?? [];
  if (key === undefined || key.length > longestKey || /[\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u.test(key)) return undefined;
  if (kind === 'company') return { kind, key };
  return { kind: 'report', idOrKey: idForm.test(key) && Number.isSafeInteger(Number(key)) ? Number(key) : key };
}

const authority = 'report-library.report-library';

/** A link that others can open: it shows the report or the company, and needs a licence of one's own. */
export function linkTo(target: LinkTarget, scheme: string): string {
  const key = target.kind === 'report' ? String(target.idOrKey) : target.key;
  return `${scheme}://${authority}/${target.kind}/${encodeURIComponent(key.toWellFormed())}`;
}
