/** The filters of `GET /reports` that a walk uses (REP-1): different ones AND, repeated values OR. */
export interface WalkFilter {
  readonly company_key?: string | undefined;
  readonly type?: readonly string[] | undefined;
  readonly fcyear?: readonly number[] | undefined;
}
