import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { root } from '../scripts/places.ts';
import { packageExtension } from './emptyExtension.ts';

/** An extension with a tree whose rows open panels: see `peers/panels.ts`. */
export interface PanelPeers {
  readonly view: string;
  readonly vsix: string;
}

/** Texts of the rows. */
export const peerRows = {
  plain: 'openPlain',
  coverage: 'openCoverage',
  results: 'openResults',
  markdown: 'openMarkdown',
} as const;

const view = 'Peers';

/** Packages it into a VSIX in `folder`. Its tree stands in the Report Library's container, where our own rows are. */
export async function packagePanelPeers(
  folder: string,
  sizes: { readonly companies: number; readonly years: number; readonly results: number },
): Promise<PanelPeers> {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['bench/peers/panels.ts'],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['vscode'],
    define: { sizes: JSON.stringify(sizes) },
    minify: true,
    write: false,
    logLevel: 'error',
  });
  const manifest = {
    name: 'panel-peers',
    displayName: 'Panel peers',
    main: './main.js',
    contributes: { views: { reportLibrary: [{ id: 'peers.view', name: view }] } },
  };
  return { view, vsix: await packageExtension(join(folder, 'panel-peers'), manifest, outputFiles[0]?.text ?? '') };
}
