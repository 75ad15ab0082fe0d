import assert from 'node:assert/strict';
import { text } from './sources.ts';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when?: string }[] };
  };
}

type ContextKeys = Readonly<Record<string, unknown>>;

const { commands, menus } = (JSON.parse(text('package.json')) as Manifest).contributes;

/** Whether one comparison of a `when` clause holds: `key`, `!key`, `key == value` or `key != value`. */
function holds(comparison: string, keys: ContextKeys): boolean {
  const [, not, key, sign, value] = /^(!?)([\w.]+) *(?:(==|!=) *'?([^']*)'?)?$/.exec(comparison.trim()) ?? [];
  if (key === undefined) throw new Error(`This test can't read the when clause ${comparison}.`);
  if (key === 'true' || key === 'false') return key === 'true';
  const is = sign ? String(keys[key] ?? '') === value : Boolean(keys[key]);
  return sign === '!=' || not ? !is : is;
}

/** The commands that the palette shows while these context keys have these values, and all others are unset. */
function shownWith(keys: ContextKeys): string[] {
  const clauses = new Map(menus.commandPalette.map(({ command, when = 'true' }) => [command, when]));
  const isShown = (command: string) =>
    (clauses.get(command) ?? 'true').split('||').some((all) => all.split('&&').every((one) => holds(one, keys)));
  return commands.map(({ command }) => command).filter(isShown);
}

const signedOut = { 'reportLibrary.session': 'signedOut' };
const signedIn = {
  'reportLibrary.session': 'signedIn',
  'reportLibrary.signedIn': true,
  isWorkspaceTrusted: true,
  workspaceFolderCount: 1,
};

function assertShort(shown: readonly string[], limit: number): void {
  assert.ok(shown.length <= limit, `${shown.length} commands, at most ${limit}: ${shown.join(', ')}`);
}

describe('the command palette', () => {
  it('shows at most 14 commands before sign-in, and before the session is known', () => {
    for (const keys of [signedOut, {}].flatMap((each) => [each, { ...each, workspaceFolderCount: 1 }])) {
      const shown = shownWith(keys);
      assertShort(shown, 14);
      assert.ok(shown.includes('reportLibrary.signIn'));
    }
    const leftOver = { 'reportLibrary.filtered': true, 'reportLibrary.pdfHits': true };
    assert.deepEqual(shownWith({ ...signedOut, ...leftOver }), shownWith(signedOut));
    assert.ok(shownWith({}).includes('reportLibrary.find'), 'who is signed in can find before anything was opened');
  });

  it('shows at most 30 commands while signed in, also with a selection and a second connection', () => {
    const shown = shownWith(signedIn);
    assertShort(shownWith({ ...signedIn, 'reportLibrary.hasSelection': true, 'reportLibrary.canSwitch': true }), 30);
    assert.ok(shown.includes('reportLibrary.find'));
    for (const session of ['signedIn', 'unreachable'])
      assert.ok(
        !shownWith({ ...signedIn, 'reportLibrary.session': session }).includes('reportLibrary.signIn'),
        session,
      );
    assert.ok(shownWith({ ...signedIn, 'reportLibrary.session': 'keyRefused' }).includes('reportLibrary.signIn'));
  });

  it('shows commands about a row only while one is selected', () => {
    const selected = shownWith({ ...signedIn, 'reportLibrary.hasSelection': true });
    const more = selected.filter((command) => !shownWith(signedIn).includes(command));
    assert.ok(more.includes('reportLibrary.copyLink'));
  });

  it('shows Switch Connection only with a second connection', () => {
    const command = 'reportLibrary.switchConnection';
    assert.ok(!shownWith(signedIn).includes(command));
    assert.ok(shownWith({ ...signedIn, 'reportLibrary.canSwitch': true }).includes(command));
  });
});
