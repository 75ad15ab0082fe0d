/** A place in the house, and the places it may import from besides itself. */
export interface Room {
  /** A folder (with a slash at the end) or a file. */
  readonly place: string;
  readonly may: readonly string[];
  /** May import `vscode`. */
  readonly editor?: true;
  /** May import Node's own modules; what also runs in a browser, or is pure, does not. */
  readonly node?: true;
}

const logic = [
  ...[
    'src/base/',
    'src/identifiers/',
    'src/api/',
    'src/machine/',
    'src/library/',
    'src/files/',
    'src/downloads/',
    'src/text/',
  ],
  ...['src/favorites/', 'src/notebook/', 'src/citation/', 'src/export/', 'src/evidence/', 'src/tools/'],
];
const session = 'src/app/session.ts';
const forFeatures = [...logic, 'src/protocol/', 'src/panels/', 'src/app/app.ts', session, 'src/editor/common/'];

const rooms: readonly Room[] = [
  { place: 'src/base/', may: [], node: true },
  { place: 'src/identifiers/', may: ['src/base/'] },
  { place: 'src/api/schemas/', may: ['src/base/', 'src/identifiers/'] },
  { place: 'src/api/transport/', may: ['src/base/', 'src/machine/', 'src/api/schemas/'], node: true },
  {
    place: 'src/api/endpoints/',
    may: ['src/base/', 'src/identifiers/', 'src/api/schemas/', 'src/api/transport/'],
    node: true,
  },
  { place: 'src/api/', may: ['src/base/', 'src/identifiers/'], node: true },
  { place: 'src/machine/', may: ['src/base/'], node: true },
  { place: 'src/library/', may: ['src/base/', 'src/identifiers/', 'src/api/schemas/', 'src/machine/'], node: true },
  { place: 'src/text/', may: ['src/base/', 'src/machine/'], node: true },
  { place: 'src/files/', may: ['src/base/', 'src/machine/'], node: true },
  { place: 'src/downloads/', may: ['src/base/', 'src/api/schemas/', 'src/machine/', 'src/files/'], node: true },
  { place: 'src/favorites/', may: ['src/base/', 'src/files/'], node: true },
  { place: 'src/notebook/', may: ['src/base/', 'src/api/schemas/'] },
  { place: 'src/citation/', may: ['src/base/', 'src/api/schemas/'] },
  {
    place: 'src/export/',
    may: ['src/base/', 'src/api/schemas/', 'src/library/', 'src/text/', 'src/files/'],
    node: true,
  },
  {
    place: 'src/evidence/',
    may: ['src/base/', 'src/text/', 'src/files/', 'src/downloads/', 'src/notebook/', 'src/citation/'],
    node: true,
  },
  {
    place: 'src/tools/',
    may: [
      ...['src/base/', 'src/identifiers/', 'src/api/schemas/', 'src/machine/', 'src/library/', 'src/text/'],
      ...['src/files/', 'src/downloads/', 'src/evidence/'],
    ],
    node: true,
  },
  {
    place: 'src/cli/',
    may: [...logic, 'src/protocol/', 'src/tools/', 'src/demo/'],
    node: true,
  },
  { place: 'src/demo/', may: ['src/base/', 'src/identifiers/', 'src/api/schemas/'], node: true },
  { place: 'src/protocol/', may: ['src/base/', 'src/api/schemas/'] },
  { place: 'src/panels/', may: ['src/base/', 'src/api/schemas/', 'src/protocol/'] },
  { place: 'src/webview/', may: ['src/base/', 'src/protocol/'] },
  { place: session, may: logic, node: true },
  {
    place: 'src/app/app.ts',
    may: [...forFeatures, 'src/editor/downloads/workspaceDownloads.ts'],
    editor: true,
  },
  { place: 'src/app/', may: ['src/'], editor: true },
  { place: 'src/editor/common/', may: forFeatures, editor: true, node: true },
  { place: 'src/editor/demo/', may: [...forFeatures, 'src/demo/'], editor: true, node: true },
  {
    place: 'src/editor/panels/',
    may: [...forFeatures, 'src/editor/downloads/', 'src/editor/resolve/'],
    editor: true,
    node: true,
  },
  { place: 'src/extension.ts', may: ['src/'], editor: true },
];

/** True when `name` is the place or lies in it. */
export function isIn(name: string, place: string): boolean {
  return name === place || (place.endsWith('/') && name.startsWith(place));
}

/** The room of a file, which is the narrowest place around it; each other folder in `src/editor/` is a feature. */
export function roomOf(name: string): Room | undefined {
  const known = rooms.filter(({ place }) => isIn(name, place)).sort((a, b) => b.place.length - a.place.length)[0];
  if (known !== undefined) return known;
  const feature = /^src\/editor\/[^/]+\//.exec(name);
  return feature === null ? undefined : { place: feature[0], may: forFeatures, editor: true, node: true };
}
