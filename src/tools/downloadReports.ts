import * as z from 'zod/mini';
import type { Allowance, Spending, Taken } from '../machine/allowance.ts';
import { plain, reportInput } from './facts.ts';
import { failed, inputProblem, type ToolAnswer } from './tool.ts';

const most = 10;
const input = z.strictObject({
  reports: z.array(reportInput).check(z.minLength(1), z.maxLength(most), z.describe('Whose PDFs to download')),
});
const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input' });

/** The tool of the editor's door alone: it asks the service, and a person first. Not in the table of those that read. */
export const downloadTool = {
  name: 'reportlibrary_download_reports',
  title: 'Download Reports',
  description:
    'Downloads the PDFs of listed reports into the workspace after the user confirmed; each counts as a download of the licence. Answers path and sha256. Call it only when the user wants these PDFs, and never repeat it by yourself. Their text can be searched shortly after.',
  inputSchema,
};

/** A listed report that was asked for. */
export interface WantedReport {
  readonly report_id: number;
  readonly report_key: string;
  readonly title: string | null;
  readonly has_file: boolean | null;
  /** In MB, as published; null where it is not. */
  readonly megabytes: number | null;
}

/** What became of one. */
export interface DownloadedReport {
  readonly report_id: number;
  readonly status: string;
  /** Relative to the workspace folder. */
  readonly path?: string | undefined;
  readonly sha256?: string | undefined;
  readonly reason?: string | undefined;
}

export interface ToolDownloads {
  readonly allowance: Allowance;
  /** The listed report of an id or key in the library in use; null where there is none. */
  wanted(named: number | string): Promise<WantedReport | null>;
  /** Downloads with the editor's own checks, until the signal aborts. Rejects with an error whose message a person understands. */
  download(ids: readonly number[], signal: AbortSignal): Promise<readonly DownloadedReport[]>;
}

/** What a person is asked to confirm: which PDFs, how large, and how much of the caps that takes. */
export interface DownloadPlan {
  readonly reports: readonly WantedReport[];
  readonly megabytes: number;
  /** How many publish no size. */
  readonly unsized: number;
  readonly spending: Spending | null;
}

/** Statuses for which no link was asked for: they cost nothing. */
const free: ReadonlySet<string> = new Set(['unchanged', 'no-file', 'not-entitled']);

/** The calls of one window: each is planned for a person to confirm, then made. */
export class DownloadCalls {
  readonly #ports: ToolDownloads;
  /** The ids that a person was asked about, by the input of the call. */
  readonly #planned = new Map<string, string>();

  constructor(ports: ToolDownloads) {
    this.#ports = ports;
  }

  /** Reads what is asked for, which a person is then asked about. An answer where that is wrong, for the model. */
  async plan(given: unknown): Promise<DownloadPlan | ToolAnswer> {
    const input = JSON.stringify(given);
    this.#planned.delete(input);
    const plan = await this.#read(given);
    if ('reports' in plan) this.#planned.set(input, idsOf(plan).join());
    return plan;
  }

  /**
   * Downloads what was planned, within the caps, whoever confirmed it: an editor may be set to confirm by itself. Takes
   * from the caps before anything is sent. Never answers a link.
   */
  async run(given: unknown, signal: AbortSignal): Promise<ToolAnswer> {
    const input = JSON.stringify(given);
    const planned = this.#planned.get(input);
    this.#planned.delete(input);
    const plan = await this.#read(given);
    if ('text' in plan) return plan;
    const ids = idsOf(plan);
    // The library may list by now what it did not when a person would have been asked.
    if (planned !== ids.join())
      return failed('Nobody was asked about these reports. Nothing was downloaded. Call again.');
    signal.throwIfAborted();
    const taken = await this.#ports.allowance.take(ids.length);
    if (taken.kind !== 'taken') return failed(refusal(taken));
    const results = await this.#ports.download(ids, signal);
    await this.#ports.allowance.giveBack(results.filter(({ status }) => free.has(status)).length);
    const keys = new Map(plan.reports.map(({ report_id, report_key }) => [report_id, report_key]));
    const rows = results.map(({ report_id, status, path, sha256, reason }) => ({
      ...{ report_id, report_key: plain(keys.get(report_id) ?? null), status, path, sha256 },
      ...(reason !== undefined && { reason: plain(withoutLinks(reason)) }),
    }));
    return { text: JSON.stringify({ results: rows }), isError: false };
  }

  async #read(given: unknown): Promise<DownloadPlan | ToolAnswer> {
    const read = z.safeParse(input, given ?? {});
    if (!read.success) return failed(inputProblem(read.error, Object.keys(input.shape)));
    const found = await Promise.all(read.data.reports.map((named) => this.#ports.wanted(named)));
    const missing = read.data.reports.filter((_, at) => found[at] === null);
    if (missing.length > 0) {
      return failed(
        `The library in use lists no such report: ${missing.map((named) => plain(String(named))).join(', ')}. Call reportlibrary_find_reports for report keys. Nothing was downloaded.`,
      );
    }
    const byId = new Map(found.flatMap((report) => (report ? [[report.report_id, report] as const] : [])));
    const reports = [...byId.values()];
    const sizes = reports.map(({ megabytes }) => megabytes ?? 0);
    const megabytes = sizes.reduce((sum, size) => sum + size, 0);
    const unsized = sizes.filter((size) => size <= 0).length;
    return { reports, megabytes, unsized, spending: await this.#ports.allowance.spending() };
  }
}

const idsOf = ({ reports }: DownloadPlan) => reports.map(({ report_id }) => report_id);

function refusal(taken: Exclude<Taken, { kind: 'taken' }>): string {
  const instead = 'Nothing was downloaded. Tell the user to run “Report Library: Download PDFs…” instead.';
  if (taken.kind === 'unknown') return `Downloads by assistants can't be counted on this machine right now. ${instead}`;
  const where = taken.by === 'perWindow' ? 'in this window' : 'today';
  return `Assistants may download ${taken.left} more PDFs ${where}. Call again with at most that many. ${instead}`;
}

const withoutLinks = (text: string) => text.replace(/\bhttps?:\/\/\S+/giu, '…');
