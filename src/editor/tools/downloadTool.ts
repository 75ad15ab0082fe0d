import * as vscode from 'vscode';
import { isAbortError } from '../../base/clock.ts';
import { l10n } from '../../base/l10n.ts';
import { byteSize, counted, countText, plainText } from '../../base/words.ts';
import type { StoredReport } from '../../library/store.ts';
import type { Spending } from '../../machine/allowance.ts';
import type { Services } from '../../services.ts';
import {
  DownloadCalls,
  type DownloadedReport,
  type DownloadPlan,
  type WantedReport,
} from '../../tools/downloadReports.ts';
import { failed, type ToolAnswer } from '../../tools/tool.ts';
import { assistantDownloads } from '../common/assistantDownloads.ts';
import { commandIds } from '../common/contributions.ts';
import type { Log } from '../common/log.ts';
import { problemText } from '../common/messages.ts';

/** The only tool that contacts the service: a person confirms it, and caps bind it even where an editor confirms. */
export class DownloadTool {
  readonly #calls: DownloadCalls;
  readonly #log: Log;

  constructor(services: Services, log: Log) {
    this.#log = log;
    this.#calls = new DownloadCalls({
      allowance: assistantDownloads(log),
      wanted: async (named) => {
        const { library, connection } = await services.library();
        const reports = await Promise.all(named.map(async (each) => wantedOf(await library.report(each))));
        return { connection: connection.id, reports };
      },
      // By the command, as a program runs it: it asks nothing, and checks the licence, the place and the bytes.
      download: async (ids, options) =>
        (await vscode.commands.executeCommand<readonly DownloadedReport[] | undefined>(
          commandIds.downloadReports,
          ids,
          options,
        )) ?? ids.map((report_id) => ({ report_id, status: 'cancelled' })),
    });
  }

  /** What a person is asked before each call. Nothing is asked where the call is going to be refused anyway. */
  async prepare(input: unknown): Promise<vscode.PreparedToolInvocation> {
    const plan = await this.#calls.plan(input);
    if ('text' in plan) return {};
    const invocationMessage = vscode.l10n.t('Downloading {0}', pdfs(plan.reports.length));
    return { invocationMessage, confirmationMessages: confirmation(plan) };
  }

  /** Rejects with the signal's reason once it aborts before anything was asked for. */
  async invoke(input: unknown, signal: AbortSignal): Promise<ToolAnswer> {
    try {
      return await this.#calls.run(input, signal);
    } catch (error) {
      if (isAbortError(error)) throw error;
      this.#log.warn('Reports could not be downloaded for an assistant.');
      return failed(problemText(error));
    }
  }
}

function wantedOf(stored: StoredReport | null): WantedReport | null {
  if (stored?.state !== 'listed') return null;
  const { report_id, report_key, has_file, report_filesize, report_title } = stored.report;
  return { report_id, report_key, title: report_title, has_file, megabytes: report_filesize };
}

const pdfs = (count: number) => counted(count, l10n.later('1 PDF'), l10n.later('{0} PDFs'));

/** What a person is asked. As Markdown, because a dialog shows the backslashes of a plain string. */
export function confirmation(plan: DownloadPlan): { readonly title: string; readonly message: vscode.MarkdownString } {
  const title = vscode.l10n.t('Let the assistant download {0}?', pdfs(plan.reports.length));
  return { title, message: new vscode.MarkdownString(planText(plan)) };
}

/** Reports, size and cost, in plain lines: titles are the service's words and no Markdown. */
function planText({ reports, megabytes, unsized, spending }: DownloadPlan): string {
  const size = byteSize(Math.round(megabytes * 1e6), vscode.env.language);
  const known =
    unsized > 0
      ? vscode.l10n.t('{0}, and {1} of unknown size', size, pdfs(unsized))
      : vscode.l10n.t('{0} in all', size);
  return [
    ...reports.map(({ title, report_key }) => {
      const key = escaped(report_key);
      return title === null ? key : `${escaped(title)} (${key})`;
    }),
    known,
    vscode.l10n.t('Each PDF that is not here yet counts as a download of your licence.'),
    spendingText(spending),
  ].join('\n\n');
}

/** What assistants have downloaded, of what they may. */
function spendingText({ window, perWindow, day, perDay }: Spending): string {
  return vscode.l10n.t(
    'Assistants have downloaded {0} of {1} in this window and {2} of {3} today.',
    ...[countText(window), countText(perWindow), countText(day), countText(perDay)],
  );
}

/** Every sign of Markdown is escaped, links and entities too; a long title would push the cost out of sight. */
const escaped = (text: string) => plainText(text, 120).replace(/[!-/:-@[-`{-~]/g, '\\$&');
