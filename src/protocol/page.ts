import * as z from 'zod/mini';
import { nothing, type Side } from '../base/rpc.ts';

/** A question that needs no words and whose answer is that it is done. */
export const plainCall = { params: nothing, result: nothing } as const;

/** What every page may ask for. */
const everyCall = {
  enter: { params: z.strictObject({ how: z.enum(['signIn', 'openDemoLibrary']) }), result: nothing },
} as const;
export type EveryCall = keyof typeof everyCall;

const pageTells = {
  /** The page can listen now; also after it was hidden and shown again. */
  ready: nothing,
  /** Try to read again what could not be read. */
  retry: nothing,
} as const;

/** A message from the editor to our own page. It is typed but not checked: it crosses no border of trust. */
export function fromEditor<T>() {
  return z.unknown() as unknown as z.ZodMiniType<T>;
}

/** Why there is nothing to show; `signedOut` offers to sign in, also after a refused key. */
export interface PageProblem {
  readonly message: string;
  readonly signedOut?: boolean;
}
const editorProblem = fromEditor<PageProblem>();

type None = Readonly<Record<never, never>>;

// No interface: those have no index signature, which a side of a conversation has.
type ShowMessages<View> = { readonly show: View; readonly problem: typeof editorProblem };

/** A panel's conversation. */
export function conversation<
  View extends z.ZodMiniType,
  State extends z.ZodMiniType<KeptByAll>,
  Calls extends Side['calls'],
  Hears extends Side['events'] = None,
  Tells extends Side['events'] = None,
>(panel: {
  /** What the page shows. */
  readonly view: View;
  readonly kept: Kept<State>;
  readonly calls: Calls;
  /** What both tell each other beside that. */
  readonly hears?: Hears;
  readonly tells?: Tells;
}) {
  const { view, kept, calls } = panel;
  const hears = { show: view, problem: editorProblem, ...panel.hears } as ShowMessages<View> & Hears;
  const tells = { ...pageTells, ...panel.tells } as typeof pageTells & Tells;
  return {
    kept,
    host: { calls: { ...everyCall, ...calls }, events: tells },
    page: { calls: {}, events: hears },
  } as const;
}

export type AnyPanel = ReturnType<typeof conversation<z.ZodMiniType, z.ZodMiniType<KeptByAll>, Side['calls']>>;
export type ViewOf<P extends AnyPanel> = z.output<P['page']['events']['show']>;
export type StateOf<P extends AnyPanel> = z.output<P['kept']['schema']>;

const keptByAll = {
  version: z.literal(1),
  scroll: z.optional(z.number()),
  /** The way to what had the keyboard. */
  focus: z.optional(z.string().check(z.maxLength(500))),
};
type KeptByAll = z.output<z.ZodMiniObject<typeof keptByAll>>;

/** What a page keeps across hiding and window reloads, checked when read back; and its first state. */
interface Kept<State extends z.ZodMiniType> {
  readonly schema: State;
  readonly fresh: z.output<State>;
}

export function keptState<Own extends Readonly<Record<string, z.ZodMiniType>>>(
  own: Own,
  fresh: { readonly [Name in keyof Own]?: z.output<Own[Name]> },
) {
  const schema = z.strictObject({ ...keptByAll, ...own });
  return { schema, fresh: schema.parse({ version: 1, ...fresh }) };
}

/** What is typed into a filter. */
export const filterText = z.string().check(z.maxLength(200));

/** The parts of a panel's HTML. Except for the messages all of it is ours: nothing from the service is in it. */
interface PageParts {
  readonly nonce: string;
  readonly language: string;
  /** What the page's sentences are called in that language; left out for English. */
  readonly words?: Readonly<Record<string, string>> | undefined;
  readonly title: string;
  readonly styles: readonly string[];
  /** Scripts, as text, run in this order. */
  readonly scripts: readonly string[];
  /** What the page is told at once, as if it had come by message; checked there all the same. */
  readonly messages?: readonly unknown[];
  /** Addresses of our own style sheets that are too large for the HTML, before those in it. */
  readonly sheets?: readonly string[];
  /** Addresses of our own scripts that are too large for the HTML, run before those. */
  readonly sources?: readonly string[];
  /** Whether the page starts a worker, from a text in one of its scripts, with decoders in WebAssembly. */
  readonly hasWorker?: boolean;
}

/**
 * The policy of every panel: no style and no script but those that this HTML has or names, no other file, no string
 * ever run as code. A page with a worker starts it as a blob under the same policy, because its script would come from
 * another origin; the worker may use decoders in WebAssembly, which strings can't become.
 */
export function contentSecurityPolicy({ nonce, hasWorker = false }: Pick<PageParts, 'nonce' | 'hasWorker'>): string {
  return [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'${hasWorker ? " 'wasm-unsafe-eval'" : ''}`,
    `style-src 'nonce-${nonce}'`,
    // The icons, which are part of a style.
    `font-src data:`,
    ...(hasWorker ? ['worker-src blob:'] : []),
    `base-uri 'none'`,
    `form-action 'none'`,
    `require-trusted-types-for 'script'`,
  ].join('; ');
}

/**
 * The whole HTML of a panel. Styles and scripts are in it, because each file that a page asks for is another trip
 * through the editor, and so is asking for its first content. From half a megabyte on naming them is faster: HTML is
 * copied several times on its way, a named file is not, and is cached.
 */
export function pageHtml(parts: PageParts): string {
  const { words, messages = [] } = parts;
  const nonce = `nonce="${escapeHtml(parts.nonce)}"`;
  return `<!DOCTYPE html>
<html lang="${escapeHtml(parts.language)}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${escapeHtml(contentSecurityPolicy(parts))}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeHtml(parts.title)}</title>
    ${(parts.sheets ?? []).map((sheet) => `<link ${nonce} rel="stylesheet" href="${escapeHtml(sheet)}">`).join('\n    ')}
    ${parts.styles.map((style) => `<style ${nonce}>${inElement(style, 'style')}</style>`).join('\n    ')}
  </head>
  <body>${words ? dataBlock('words', words) : ''}${messages.length > 0 ? dataBlock('messages', messages) : ''}
    ${(parts.sources ?? []).map((source) => `<script ${nonce} src="${escapeHtml(source)}"></script>`).join('\n    ')}
    ${parts.scripts.map((script) => `<script ${nonce}>${inElement(script, 'script')}</script>`).join('\n    ')}
  </body>
</html>
`;
}

/** Bytes, which JSON has no form for, by this name as text. */
const bytes = '$bytes';

/** What stands in a data block of this page's HTML; undefined when there is none of that name. */
export function readDataBlock(text: string | null | undefined): unknown {
  if (!text) return undefined;
  return JSON.parse(text, (_key, value: unknown) => {
    const packed = typeof value === 'object' && value !== null ? Reflect.get(value, bytes) : undefined;
    return typeof packed === 'string' ? Uint8Array.from(atob(packed), (each) => each.charCodeAt(0)) : value;
  });
}

/** A block of data, which no browser runs; nothing in it can end it. */
function dataBlock(name: string, value: unknown): string {
  const json = JSON.stringify(value, (_key, part: unknown) =>
    part instanceof Uint8Array
      ? { [bytes]: btoa(Array.from(part, (each) => String.fromCharCode(each)).join('')) }
      : part,
  );
  return `\n    <script type="application/json" id="${name}">${json.replaceAll('<', '\\u003c')}</script>`;
}

/** Our own text as an element's content, if it cannot end the element, nor begin what would keep it from ending. */
function inElement(text: string, name: 'style' | 'script'): string {
  if (text.toLowerCase().includes(`</${name}`) || text.includes('<!--'))
    throw new Error(`A ${name} of a panel would end too early.`);
  return text;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
