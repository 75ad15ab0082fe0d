import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type Node, type RegularExpressionLiteral, SyntaxKind } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';
import { find, root, text } from './sources.ts';

/** The shorter of two lengths of text; the other is twice as long. */
const size = 65_536;
/** A step for each pair of characters of the longer text takes longer, be it a hundredth of a nanosecond. */
const floorMs = 50;
/** What takes longer for an eighth of the shorter text is far off, and need not be tried with minutes of the longer. */
const earlyMs = 20;
const maxGrowth = 2.5;

/** What stands between slashes in the product, and where. */
interface Expression {
  readonly at: string;
  readonly expression: RegExp;
}

/** Every regular expression of the product: those of the demo and of scripts meet no text of others. */
async function expressions(): Promise<Expression[]> {
  const files = (await find('src/**/*.ts')).filter((name) => !name.startsWith('src/demo/'));
  const found: Expression[] = [];
  const api = new API({ cwd: root });
  try {
    for (const config of ['tsconfig.json', 'src/webview/tsconfig.json']) {
      const program = api.updateSnapshot({ openProject: join(root, config) }).getProjects()[0]?.program;
      for (const file of files) {
        if (file.startsWith('src/webview/') !== config.startsWith('src/webview/')) continue;
        const source = program?.getSourceFile(join(root, file));
        assert.ok(source, `${file} was not parsed`);
        const visit = (node: Node): void => {
          if (node.kind === SyntaxKind.RegularExpressionLiteral) {
            const [, body = '', flags = ''] = /^\/(.*)\/(\w*)$/s.exec((node as RegularExpressionLiteral).text) ?? [];
            const line = source.text.slice(0, node.getStart(source)).split('\n').length;
            found.push({ at: `${file}:${line}`, expression: new RegExp(body, flags.replace('y', '')) });
          }
          node.forEachChild(visit);
        };
        visit(source);
      }
    }
  } finally {
    api.close();
  }
  return found;
}

const letters = 'abcdefghijklmnopqrstuvwxyz';
const units: readonly string[] = [
  ...['a', 'A', 'é', letters, '7', '0123456789', ' ', '\t', '\n', '\r\n', '\u00a0', '-', '=', '/', '\\', '.', '%', '_'],
  ...`"'\`()[]{}<>,;:|*#?&@+$~`,
  ...['aB3+/xZ9', '%2e', '../', ' a', 'a ', 'a.', '-a', 'a_', '1,', '=a&', '[a](', '\u0301', '\u202e'],
];

/** Texts to be repeated: single characters and pairs, and what the expression itself looks for. */
function textsFor({ source }: RegExp): readonly string[] {
  const own = source.replaceAll(/\\[a-z]/g, '').match(/[A-Za-z_]{2,}|[^\sA-Za-z0-9\\^$()[\]{}?*+|]+/g) ?? [];
  return [...units, ...own, ...own.map((word) => `${word} `), ...own.map((word) => `${word}a`)];
}

function run(expression: RegExp, subject: string): void {
  if (expression.global) subject.replace(expression, '');
  else expression.exec(subject);
}

/** The best of some runs in ms of the clock, which is never less than the work took; ends with the first under the limit. */
function atMost(limit: number, expression: RegExp, subject: string): number {
  let best = Number.POSITIVE_INFINITY;
  for (let runs = 0; runs < 5 && best > limit; runs += 1) {
    const start = performance.now();
    run(expression, subject);
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

/**
 * The processor's time for one run in ms, which a busy machine does not lengthen: of so many runs that the steps of that
 * clock, which are as long as 10 ms on some machines, no longer count.
 */
function precisely(expression: RegExp, subject: string): number {
  const start = process.threadCpuUsage();
  for (let runs = 1; ; runs += 1) {
    run(expression, subject);
    const { user, system } = process.threadCpuUsage(start);
    const ms = (user + system) / 1000;
    if (ms >= 50) return ms / runs;
  }
}

/** The times for both lengths, when they differ by more than the lengths do. */
function slowness(expression: RegExp, subject: (length: number) => string): string | null {
  const [once = 0, twice = 0] = [size, size * 2].map((length) => precisely(expression, subject(length)));
  return twice > once * maxGrowth ? `${once.toFixed(1)}, then ${twice.toFixed(1)} ms` : null;
}

/** How an expression grows with a text of one kind, when it does so by more than its length. */
function growth(expression: RegExp, unit: string): string | null {
  // An expression that hopes for the end of the text looks for it everywhere when something else comes last.
  for (const end of ['', '\u0001']) {
    const subject = (length: number) => unit.repeat(length / unit.length) + end;
    const kind = JSON.stringify(unit + end);
    const eighth = subject(size / 8);
    // The longer text has sixteen times its letters, so 256 times its pairs: under the floor even then.
    const early = atMost(floorMs / 256, expression, eighth);
    if (early <= floorMs / 256) continue;
    if (early > earlyMs) return `${early.toFixed(0)} ms for ${eighth.length} of ${kind}`;
    if (atMost(floorMs, expression, subject(size * 2)) <= floorMs) continue;
    const found = slowness(expression, subject);
    // What one look finds slow, others must find too: what else runs empties the caches of the processor.
    if (found && slowness(expression, subject) && slowness(expression, subject)) return `${found} for ${kind}`;
  }
  return null;
}

describe('regular expressions of the product', () => {
  it('would be found if they took a step for each pair of letters', () => {
    for (const [expression, unit] of [
      [/\s+$/, ' '],
      [/a[^z]*z/g, 'a'],
      [/^\s*(?:import|from)\s+pandas\b/m, '\n'],
    ] as const)
      assert.match(growth(expression, unit) ?? '', /\d ms for /, `${expression}`);
    assert.equal(growth(/\p{L}+/gu, 'a '), null);
  });

  it('are written between slashes, where the test below finds them', async () => {
    const built = (await find('src/**/*.ts'))
      .filter((name) => !name.startsWith('src/demo/'))
      .flatMap((name) => (/\bRegExp\(/.test(text(name)) ? [name] : []));
    assert.deepEqual(built, []);
  });

  it('take no more than twice as long for twice the text, whatever it is made of', async function () {
    this.timeout(600_000);
    const all = await expressions();
    const literals = (await find('src/**/*.ts')).filter((name) => /[=(,:]\s*\/[^/*\s][^\n]*\//.test(text(name)));
    assert.ok(all.length > 100 && literals.length > 30, `${all.length} were found`);
    const different = new Map(all.map((one) => [`${one.expression}`, one]));
    const slow = [...different.values()].flatMap(({ at, expression }) => {
      for (const unit of textsFor(expression)) {
        const problem = growth(expression, unit);
        if (problem !== null) return [`${at} ${expression}: ${problem}`];
      }
      return [];
    });
    assert.deepEqual(slow, []);
  });
});
