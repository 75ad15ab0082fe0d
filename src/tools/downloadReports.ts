import * as z from 'zod/mini';
import { plainText } from '../base/words.ts';
import type { Allowance, Spending, Taken } from '../machine/allowance.ts';
import { idOf, plain, reportInput } from './facts.ts';
import { asData, failed, inputProblem, type ToolAnswer } from './tool.ts';

const maxReports = 10;
const input = z.strictObject({
  reports: z.array(reportInput).check(z.minLength(1), z.maxLength(maxReports), z.describe('Whose PDFs to download')),
});
const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input' });

/** The tool of the editor alone, which asks the service, after asking a person; not in the table of reading tools. */
export const downloadTool = {
  name: 'reportlibrary_download_reports',
  title: 'Download Reports',
  description:
    'Downloads the PDFs of listed reports into the workspace after the user confirmed; each counts as a download of the license. Answers path and sha256. Call it only when the user wants these PDFs, and never repeat it by yourself. Their text can be searched shortly after.',
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
  /** The listed reports of ids or keys in the library in use, in order, null where missing; and the connection's id. */
  wanted(named: readonly (number | string)[]): Promise<Pick<DownloadPlan, 'connection'> & WantedReports>;
  /** Downloads with the editor's own checks. Rejects with an error whose message a person understands. */
  download(ids: readonly number[], options: ToolDownloadOptions): Promise<readonly DownloadedReport[]>;
}

interface WantedReports {
  readonly reports: readonly (WantedReport | null)[];
}

/** How our own code runs the download of listed ids. */
export interface ToolDownloadOptions {
  readonly signal: AbortSignal;
  /** The id of the connection that is meant; nothing is downloaded from another one. */
  readonly connection: string;
  /** Called before the service is first asked for a link. */
  onStart(): void;
  /** Called at the end with the number of reports for which the service gave a link: the others cost nothing. */
  onEnd(withLink: number): void;
}

/** What a person is asked to confirm: which PDFs, how large, and how much of the caps that takes. */
export interface DownloadPlan {
  readonly connection: string;
  readonly reports: readonly WantedReport[];
  readonly megabytes: number;
  readonly unsized: number;
  readonly spending: Spending;
}

/** Calls that are remembered until they are made; those of dialogs that were cancelled are never made. */
const maxPlanned = 100;

/** The calls of one window: each is planned for a person to confirm, then made. */
export class DownloadCalls {
  readonly #ports: ToolDownloads;
  /** What a person was asked about, dialog by dialog. */
  #planned: readonly { readonly input: string; readonly about: string }[] = [];

  constructor(ports: ToolDownloads) {
    this.#ports = ports;
  }

  /** Reads what is asked for, which a person is then asked about. An answer where that is wrong, for the model. */
  async plan(given: unknown): Promise<DownloadPlan | ToolAnswer> {
    const plan = await this.#read(given);
    if ('text' in plan) return plan;
    const dialog = { input: JSON.stringify(given), about: aboutOf(plan) };
    const others = this.#planned.filter(({ input, about }) => input !== dialog.input || about === dialog.about);
    // A dialog that may still be open is about other reports.
    const isUnclear = others.length < this.#planned.length;
    this.#planned = isUnclear ? others : [...others, dialog].slice(-maxPlanned);
    return isUnclear ? failed(notAsked) : plan;
  }

  /** Downloads what was planned, within the caps, which are charged before anything is sent. Never answers a link. */
  async run(given: unknown, signal: AbortSignal): Promise<ToolAnswer> {
    const input = JSON.stringify(given);
    const planned = this.#planned.find((dialog) => dialog.input === input);
    this.#planned = this.#planned.filter((dialog) => dialog !== planned);
    const plan = await this.#read(given);
    if ('text' in plan) return plan;
    const ids = plan.reports.map(({ report_id }) => report_id);
    // Another connection may be in use by now, or its library list what it did not when a person was asked.
    if (planned?.about !== aboutOf(plan)) return failed(notAsked);
    signal.throwIfAborted();
    const { allowance } = this.#ports;
    const taken = await allowance.take(ids.length);
    if (taken.kind !== 'taken') return failed(refusal(taken));
    let spent = 0;
    const spend = (count: number) => {
      spent = count;
    };
    const { connection, reports } = plan;
    // A batch that began and never reported its end may have had a link for each.
    const options = { signal, connection, onStart: () => spend(ids.length), onEnd: spend };
    const results = await this.#ports
      .download(ids, options)
      .finally(() => allowance.giveBack(ids.length - spent, taken.day));
    const rows = results.map(({ report_id, status, path, sha256, reason }) => {
      const key = reports.find((report) => report.report_id === report_id)?.report_key ?? null;
      const because = reason === undefined ? {} : { reason: plain(withoutLinks(reason)) };
      return { report_id, report_key: plain(key), status, path, sha256, ...because };
    });
    return { text: JSON.stringify(asData({ results: rows })), isError: false };
  }

  async #read(given: unknown): Promise<DownloadPlan | ToolAnswer> {
    const read = z.safeParse(input, given ?? {});
    if (!read.success) return failed(inputProblem(read.error, Object.keys(input.shape)));
    const { connection, reports: found } = await this.#ports.wanted(read.data.reports.map(idOf));
    const missing = read.data.reports.filter((_, at) => found[at] === null);
    if (missing.length > 0) {
      return failed(
        `The library in use lists no such report: ${missing.map((named) => plainText(String(named))).join(', ')}. Call reportlibrary_find_reports for report keys. Nothing was downloaded.`,
      );
    }
    const byId = new Map(found.flatMap((report) => (report ? [[report.report_id, report] as const] : [])));
    const reports = [...byId.values()];
    const sizes = reports.map(({ megabytes }) => megabytes ?? 0);
    const megabytes = sizes.reduce((sum, size) => sum + size, 0);
    const unsized = sizes.filter((size) => size <= 0).length;
    const spending = await this.#ports.allowance.spending();
    if (spending === null) return failed(refusal({ kind: 'unknown' }));
    // Before a person is asked about what can't be done.
    const refused = refusedBy(spending, reports.length);
    if (refused) return failed(refusal(refused));
    return { connection, reports, megabytes, unsized, spending };
  }
}

const notAsked = 'Nobody was asked about these reports. Nothing was downloaded. Call again.';

/** What a person confirms: reports of one connection, whatever another one has under their ids. */
const aboutOf = ({ connection, reports }: DownloadPlan) =>
  JSON.stringify([connection, reports.map(({ report_id, report_key }) => [report_id, report_key])]);

type RefusedSpending = Exclude<Taken, { kind: 'taken' }>;

function refusedBy({ perWindow, window, perDay, day }: Spending, amount: number): RefusedSpending | undefined {
  const caps = [
    { left: perWindow - window, by: 'perWindow' },
    { left: perDay - day, by: 'perDay' },
  ] as const;
  const cap = caps.find(({ left }) => amount > left);
  return cap && { kind: 'too-many', by: cap.by, left: Math.max(0, cap.left) };
}

function refusal(taken: RefusedSpending): string {
  const instead = 'Nothing was downloaded. Tell the user to run “Report Library: Download PDFs…” instead.';
  if (taken.kind === 'unknown')
    return `Downloads by assistants can't be counted on this computer right now. ${instead}`;
  const where = taken.by === 'perWindow' ? 'in this window' : 'today';
  if (taken.left === 0) return `Assistants may download no more PDFs ${where}. Don't call again. ${instead}`;
  return `Assistants may download ${taken.left} more PDFs ${where}. Call again with at most that many. ${instead}`;
}

const withoutLinks = (text: string) => text.replace(/\bhttps?:\/\/\S+/giu, '…');
