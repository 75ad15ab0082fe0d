import * as vscode from 'vscode';
import type { Report } from '../../api/schemas/report.ts';
import type { Services } from '../../app/session.ts';
import { countText } from '../../base/words.ts';
import { reportGroups, reportIds } from './arguments.ts';

/** Most reports that are read for one command: they are all in memory at once. */
const maxRead = 50_000;
/** Reports that are asked of the library at once. */
const pageSize = 500;

/** The reports that a command's arguments name; companies and fiscal years stand for all of theirs in the library. */
export async function chosenIds(args: readonly unknown[], services: Services): Promise<readonly number[]> {
  const ids = new Set(reportIds(args));
  const groups = reportGroups(args);
  if (groups.length === 0) return [...ids];
  const { library, engine } = await services.library();
  const { phase } = await library.syncRecord();
  for (const { companyKey, fiscalYear } of groups) {
    // A first load that is under way may not have come to this company yet.
    if (phase !== 'following') await engine.loadCompany(companyKey);
    const years = fiscalYear === undefined ? {} : { fcyear: [fiscalYear] };
    for (const id of await library.reportIds({ company_key: [companyKey], ...years })) ids.add(id);
  }
  return [...ids];
}

/**
 * The reports in a command's arguments, as far as the library on this computer knows them.
 * @param known their ids, where they were found out already
 * @throws Error when they are more than can be read at once; the signal's reason when aborted
 */
export async function chosenReports(
  args: readonly unknown[],
  services: Services,
  signal?: AbortSignal,
  known?: readonly number[],
) {
  const { library, connection } = await services.library();
  const ids = known ?? (await chosenIds(args, services));
  if (ids.length > maxRead)
    throw new Error(
      vscode.l10n.t(
        'Too many reports ({0}). Select up to {1}, or use Export Reports….',
        ...[countText(ids.length), countText(maxRead)],
      ),
    );
  const asked = library.withSignal(signal);
  const inHand = new Map<number, Report>();
  for (let start = 0; start < ids.length; start += pageSize) {
    const page = ids.slice(start, start + pageSize);
    for (const { state, report } of await asked.storedReports(page))
      if (state === 'listed') inHand.set(report.report_id, report);
    // The others may have been merged into one that is listed.
    const follow = async (id: number) => {
      const stored = await asked.report(id);
      if (stored?.state === 'listed') inHand.set(id, stored.report);
    };
    await Promise.all(page.filter((id) => !inHand.has(id)).map(follow));
  }
  return { ids, inHand, connection };
}
