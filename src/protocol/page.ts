/** What a panel's HTML is made from. All of it is ours: nothing from the service is ever part of it. */
export interface PageParts {
  readonly nonce: string;
  /** What the editor allows as the origin of styles, fonts and images. */
  readonly cspSource: string;
  readonly language: string;
  /** What the page's sentences are called in that language; left out for English. */
  readonly words?: Readonly<Record<string, string>> | undefined;
  readonly title: string;
  readonly codicons: string;
  readonly stylesheets: readonly string[];
  readonly script: string;
  /** What the script imports, so that the page asks for it at once and not only after it has read the script. */
  readonly shared?: string;
  /** Whether the page starts a worker, from a script that it is given. */
  readonly hasWorker?: boolean;
}

/**
 * The policy of every panel: nothing but our own files, no inline style or script, no string ever run as code. A page
 * with a worker starts it as a blob, because its script would come from another origin, under the same policy.
 */
export function contentSecurityPolicy({
  nonce,
  cspSource,
  hasWorker = false,
}: Pick<PageParts, 'nonce' | 'cspSource' | 'hasWorker'>): string {
  return [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    `img-src ${cspSource}`,
    ...(hasWorker ? ['worker-src blob:'] : []),
    `base-uri 'none'`,
    `form-action 'none'`,
    `require-trusted-types-for 'script'`,
  ].join('; ');
}

/** The whole HTML of a panel. What it shows arrives later, by message. */
export function pageHtml(parts: PageParts): string {
  const styles = parts.stylesheets.map((href) => `<link rel="stylesheet" href="${escapeHtml(href)}">`).join('\n    ');
  const nonce = `nonce="${escapeHtml(parts.nonce)}"`;
  const preload =
    parts.shared === undefined ? '' : `\n    <link rel="modulepreload" ${nonce} href="${escapeHtml(parts.shared)}">`;
  return `<!DOCTYPE html>
<html lang="${escapeHtml(parts.language)}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${escapeHtml(contentSecurityPolicy(parts))}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeHtml(parts.title)}</title>${preload}
    <link rel="stylesheet" href="${escapeHtml(parts.codicons)}" id="vscode-codicon-stylesheet">
    ${styles}
  </head>
  <body>${
    parts.words
      ? `
    <script type="application/json">${jsonInHtml(parts.words)}</script>`
      : ''
  }
    <script type="module" ${nonce} src="${escapeHtml(parts.script)}"></script>
  </body>
</html>
`;
}

/** A block of data, which no browser runs; nothing in it can end it. */
function jsonInHtml(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
