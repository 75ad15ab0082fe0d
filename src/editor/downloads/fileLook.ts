import type { HeldFile } from '../../downloads/heldFiles.ts';

/** What is known on this machine about a report at the service. */
export interface Upstream {
  /** Published hash, lower-case hex; null when none is known. */
  readonly sha256: string | null;
  readonly withdrawn: boolean;
}

/** How a downloaded PDF is marked in file lists. */
export interface FileLook {
  readonly badge: string;
  /** Id of a theme colour. */
  readonly color: string;
  readonly tooltip: string;
}

/**
 * The mark of a file. What happened to it here counts first, then what the service did; without knowledge of the
 * service nothing is claimed about it. Undefined for a file that is gone.
 */
export function fileLook({ row, state }: HeldFile, upstream: Upstream | undefined): FileLook | undefined {
  if (state === 'missing') return undefined;
  if (state === 'unreadable') return { badge: '!', color: 'list.warningForeground', tooltip: 'Could not be read' };
  if (state === 'edited') {
    return { badge: 'E', color: 'list.warningForeground', tooltip: 'Edited since it was downloaded' };
  }
  if (upstream?.withdrawn) {
    return { badge: 'W', color: 'charts.red', tooltip: 'Withdrawn by the service; the file is kept' };
  }
  if (upstream && upstream.sha256 !== null && upstream.sha256 !== row.sha256) {
    return {
      badge: '↑',
      color: 'charts.blue',
      tooltip: 'The service has a newer version. Update Changed PDFs gets it',
    };
  }
  if (state === 'unverified') {
    return { badge: '?', color: 'charts.yellow', tooltip: 'Not verified: the service published no hash' };
  }
  return { badge: '✓', color: 'charts.green', tooltip: 'Verified: the bytes that the service published' };
}
