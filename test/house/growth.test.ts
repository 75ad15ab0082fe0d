import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type Node, type RegularExpressionLiteral, SyntaxKind } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';
import { find, root, text } from './sources.ts';

/** Long enough that a step for each pair of characters, even a hundredth of a nanosecond, is over the floor. */
const size = 16_384;
/** What takes less is not worth measuring. */
const floorMs = 3;
const mostGrowth = 2.5;

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
  ...[
    '"',
    "'",
    '`',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '<',
    '>',
    ',',
    ';',
    ':',
    '|',
    '*',
    '#',
    '?',
    '&',
    '@',
    '+',
    '$',
    '~',
  ],
  ...['aB3+/xZ9', '%2e', '../', ' a', 'a ', 'a.', '-a', 'a_', '1,', '=a&', '[a](', '\u0301', '\u202e'],
];

/** Texts to be repeated: single characters and pairs, and what the expression itself looks for. */
function textsFor({ source }: RegExp): readonly string[] {
  const own = source.replaceAll(/\\[a-z]/g, '').match(/[A-Za-z_]{2,}|[^\sA-Za-z0-9\\^$()[\]{}?*+|]+/g) ?? [];
  return [...units, ...own, ...own.map((word) => `${word} `), ...own.map((word) => `${word}a`)];
}

/** The processor's time for it in ms, which a busy machine does not lengthen: the best of several runs. */
function time(expression: RegExp, subject: string, runs = 7): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs && best > floorMs / 2; run += 1) {
    const start = process.threadCpuUsage();
    if (expression.global) subject.replace(expression, '');
    else expression.exec(subject);
    const { user, system } = process.threadCpuUsage(start);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

/** How an expression grows with a text of one kind, when it does so by more than its length. */
function growth(expression: RegExp, unit: string): string | null {
  // An expression that hopes for the end of the text looks for it everywhere when something else comes last.
  for (const end of ['', '\u0001']) {
    const subject = (length: number) => unit.repeat(length / unit.length) + end;
    const kind = JSON.stringify(unit + end);
    // One that is far off is found at an eighth of the length, before it takes minutes.
    const early = time(expression, subject(size / 8), 2);
    if (early > 60) return `${early.toFixed(0)} ms for ${size / 8} of ${kind}`;
    const twice = time(expression, subject(size * 2));
    const once = twice > floorMs ? time(expression, subject(size)) : 0;
    // What one look finds slow, a second one must find too: what else runs empties the caches of the processor.
    const isSlow = twice > floorMs && twice > once * mostGrowth;
    if (isSlow && time(expression, subject(size * 2)) > time(expression, subject(size)) * mostGrowth)
      return `${once.toFixed(1)}, then ${twice.toFixed(1)} ms for ${kind}`;
  }
  return null;
}

describe('regular expressions of the product', () => {
  it('take no more than twice as long for twice the text, whatever it is made of', async function () {
    this.timeout(600_000);
    const all = await expressions();
    const literals = (await find('src/**/*.ts')).filter((name) => /[=(,:]\s*\/[^/*\s][^\n]*\//.test(text(name)));
    assert.ok(all.length > 100 && literals.length > 30, `${all.length} were found`);
    const slow = all.flatMap(({ at, expression }) => {
      for (const unit of textsFor(expression)) {
        const problem = growth(expression, unit);
        if (problem !== null) return [`${at} ${expression}: ${problem}`];
      }
      return [];
    });
    assert.deepEqual(slow, []);
  });
});
