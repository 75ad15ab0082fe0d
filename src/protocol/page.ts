/** What a panel's HTML is made from. All of it is ours: nothing from the service is ever part of it. */
export interface PageParts {
  readonly nonce: string;
  /** What the editor allows as the origin of styles, fonts and images. */
  readonly cspSource: string;
  readonly language: string;
  readonly title: string;
  readonly codicons: string;
  readonly stylesheets: readonly string[];
  readonly script: string;
  /** Script of a worker that the page starts, if it has one. */
  readonly worker?: string;
}

/**
 * The policy of every panel: nothing but our own files, no inline style or script, no string ever run as code. A page
 * with a worker may read our own files too: a worker's script comes from another origin, so it is read and started as
 * a blob, under the same policy.
 */
export function contentSecurityPolicy({
  nonce,
  cspSource,
  worker,
}: Pick<PageParts, 'nonce' | 'cspSource' | 'worker'>): string {
  return [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    `img-src ${cspSource}`,
    ...(worker === undefined ? [] : ['worker-src blob:', `connect-src ${cspSource}`]),
    `base-uri 'none'`,
    `form-action 'none'`,
    `require-trusted-types-for 'script'`,
  ].join('; ');
}

/** The whole HTML of a panel. What it shows arrives later, by message. */
export function pageHtml(parts: PageParts): string {
  const worker = parts.worker === undefined ? '' : ` data-worker="${escapeHtml(parts.worker)}"`;
  const styles = parts.stylesheets.map((href) => `<link rel="stylesheet" href="${escapeHtml(href)}">`).join('\n    ');
  return `<!DOCTYPE html>
<html lang="${escapeHtml(parts.language)}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${escapeHtml(contentSecurityPolicy(parts))}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeHtml(parts.title)}</title>
    <link rel="stylesheet" href="${escapeHtml(parts.codicons)}" id="vscode-codicon-stylesheet">
    ${styles}
  </head>
  <body${worker}>
    <script type="module" nonce="${escapeHtml(parts.nonce)}" src="${escapeHtml(parts.script)}"></script>
  </body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
