import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../../scripts/places.ts';
import { commands } from '../../../src/cli/commands.ts';
import { cold, evidenceOf, sharedCliStage } from './stage.ts';

type Document = Readonly<Record<string, unknown>>;

/** What the README of the command line says of a command's document. */
interface Documented {
  /** `reports: [{report_id, path?}]` and the like, one for each way of calling it. */
  readonly members: readonly string[];
  /** What `status` or `state` of an entry may be. */
  readonly states: readonly string[];
}

const codes = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

function documented(): ReadonlyMap<string, Documented> {
  const found = new Map<string, Documented>();
  const [, json = ''] = readFileSync(join(root, 'src', 'cli', 'README.md'), 'utf8').split('\n## JSON\n');
  for (const [, names = '', text = ''] of json.matchAll(/^\| (`.+?) \| (.+) \|$/gm)) {
    const [first = '', ...others] = text.split('; ');
    const states = others.find((part) => /^`stat(us|e)` is /.test(part)) ?? '';
    const members = [codes(first).join(', ')];
    const same = found.get('verify')?.members ?? [];
    for (const name of codes(names))
      found.set(name, { members: first === 'the same' ? same : members, states: codes(states).slice(1) });
  }
  return found;
}

/** `a, b: [{c, d?}]` as its parts between the commas that stand in no bracket. */
function parts(list: string): string[] {
  const found = [''];
  let depth = 0;
  for (const sign of list) {
    depth += '[{'.includes(sign) ? 1 : ']}'.includes(sign) ? -1 : 0;
    if (sign === ',' && depth === 0) found.push('');
    else found[found.length - 1] += sign;
  }
  return found.map((part) => part.trim());
}

/** Fails for a member that is documented and missing; more of them are allowed. */
function requireMembers(value: unknown, list: string, what: string): void {
  const held = value as Document;
  for (const part of parts(list)) {
    const [, name = '', optional, shape = ''] = /^(\w+)(\?)?(?:: (.+))?$/.exec(part) ?? [];
    assert.ok(name, `${what}: ${part}`);
    if (optional && held[name] === undefined) continue;
    assert.ok(Object.hasOwn(held, name), `${what} has no ${name}`);
    const entries = shape.startsWith('[{') ? (held[name] as unknown[]) : [held[name]];
    assert.ok(entries.length > 0, `${what}: ${name} is empty, so nothing is seen of it`);
    const inner = /^\[?\{(.+)\}\]?$/.exec(shape)?.[1];
    if (inner) for (const entry of entries) requireMembers(entry, inner, `${what}: ${name}`);
    if (shape === 'string[]') assert.ok(Array.isArray(held[name]), `${what}: ${name}`);
  }
}

describe('the JSON of the command line', function () {
  this.timeout(180_000);
  const stage = sharedCliStage();
  const { cli } = stage;
  const rows = documented();

  /** Runs a command, and holds its document beside what is documented of it. */
  async function told(args: string, form = 0): Promise<Document> {
    const name = args.split(' ')[0] ?? '';
    const { code, stdout, stderr } = await cli(`${args} --json`);
    assert.equal(stderr, '', args);
    const document = JSON.parse(stdout) as Document;
    assert.deepEqual([document.command, document.exit], [name, code], args);
    const { members, states } = rows.get(name) ?? { members: [], states: [] };
    const list = members[form];
    if (list !== undefined) requireMembers(document, list, args);
    const entries = Object.values(document).filter(Array.isArray).flat() as Document[];
    const seen = entries.map(({ status, state }) => status ?? state).filter((state) => state !== undefined);
    if (states.length > 0) for (const state of seen) assert.ok(states.includes(String(state)), `${args}: ${state}`);
    return document;
  }

  it('is documented for each command that has it', () => {
    const having = commands.filter(({ options }) => 'json' in options).map(({ name }) => name);
    assert.deepEqual([...rows.keys()].sort(), having.sort());
  });

  it('has every member that is documented', async () => {
    const [report, other] = stage.demo.control.entitled();
    assert.ok(report && other);
    await told('sync');
    await told(`find ${report.report_key}`);
    assert.ok(Array.isArray((await told(`download ${report.report_key} ${other.report_key} NO_SUCH`)).unknown));
    assert.deepEqual(Object.keys(await told(`download ${report.report_key} --dry-run`, 1)).slice(2), [
      'plan',
      'unknown',
    ]);
    for (const command of ['restore', 'update', 'update --dry-run', 'verify', 'status', 'doctor']) await told(command);
    const { hits } = (await told('search 20*')) as { hits: { sha256: string }[] };
    const evidence = evidenceOf(report.report_id, report.report_key, hits[0]?.sha256);
    await writeFile(join(stage.cwd, 'reports', 'reports.evidence.json'), evidence);
    await told('check-evidence');
    await writeFile(join(stage.cwd, 'names.csv'), `code\n${report.company_key.replace('_', ':')}\nXLON:NONE\n`);
    await told('resolve names.csv --output companies.csv');
    await told('export --output all.csv');
    await told('export --format parquet --partition fiscal_year --output lake');
  });

  it('has error where it ended early, in each command', async () => {
    for (const name of rows.keys()) {
      const needed = { find: 'x', search: 'x', resolve: 'none.csv', download: 'KEY' }[name] ?? '';
      const args = [name, ...(needed ? [needed] : []), '--json', ...(name === 'doctor' ? ['--no-such'] : [])];
      const elsewhere = { ...cold, cwd: stage.home, home: join(stage.home, name) };
      const { code, stdout, stderr } = await cli(args, elsewhere);
      const { error, ...rest } = JSON.parse(stdout) as { error: Document };
      assert.deepEqual([rest, stderr], [{ command: name, exit: code }, ''], name);
      assert.deepEqual(Object.keys(error), ['kind', 'message'], name);
      assert.ok(code !== 0 && typeof error.message === 'string' && error.message.endsWith('.'), `${name}: ${stdout}`);
    }
  });
});
