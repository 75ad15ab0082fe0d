/** What a sync is doing. */
export type SyncActivity = 'idle' | 'preparing' | 'loading' | 'following' | 'walking';

/** How far a sync is, for a view. */
export interface SyncProgress {
  readonly activity: SyncActivity;
  readonly paused: boolean;
  /** Reports brought by the present load or walk, those of earlier runs that it resumes included. */
  readonly reports: number;
  readonly pages: number;
  /** Reports the load will bring, when the service says; null when unknown. */
  readonly total: number | null;
  readonly chainsDone: number;
  readonly chains: number;
}

export const idleProgress: SyncProgress = {
  activity: 'idle',
  paused: false,
  reports: 0,
  pages: 0,
  total: null,
  chainsDone: 0,
  chains: 0,
};
