import * as vscode from 'vscode';
import { l10n } from '../../base/l10n.ts';
import type { Logger } from '../../base/logger.ts';
import { counted } from '../../base/words.ts';
import type { LibraryCompany } from '../../library/companyQuery.ts';
import { type Candidate, type LookupBatch, type ResolveEntry, statusOf } from '../../protocol/resultsView.ts';
import type { Services } from '../../services.ts';
import { commandIds } from '../common/contributions.ts';
import { labelText } from '../common/messages.ts';
import { pickWhileTyping } from '../common/pickWhileTyping.ts';
import { candidateOf, companiesLike, resolveTexts } from './ask.ts';
import { certainKind } from './csv.ts';

interface CandidateItem extends vscode.QuickPickItem {
  readonly text: string;
}

/**
 * Asks the service for another identifier in place of one that did not lead to one company: that of a candidate, or what
 * the person types or chooses from the library on this machine. The person chooses, never the extension. Undefined when
 * the person leaves.
 */
export async function refine(
  services: Services,
  entry: ResolveEntry,
  candidate: Candidate | undefined,
  log: Logger,
): Promise<LookupBatch<ResolveEntry> | undefined> {
  const text = candidate?.text ?? (await askForText(services, entry, log));
  if (text === undefined) return undefined;
  const { entries, cost } = await resolveTexts(services, [text]);
  const before = entry.refined?.before ?? entry;
  return { entries: entries.map((answer) => ({ ...answer, query: entry.query, refined: { text, before } })), cost };
}

async function askForText(
  services: Services,
  { query, ...entry }: ResolveEntry,
  log: Logger,
): Promise<string | undefined> {
  const { library } = await services.library();
  const picked = await pickWhileTyping<CandidateItem>(
    library,
    {
      title: vscode.l10n.t('Refine “{0}”', labelText(query)),
      placeholder:
        statusOf({ query, ...entry }) === 'ambiguous'
          ? vscode.l10n.t('Which company do you mean? Choose it, or type MIC:TICKER, LEI, ISIN or FIGI')
          : vscode.l10n.t('Type MIC:TICKER, LEI, ISIN, FIGI or the exact name, or choose a company'),
      async itemsFor(calls, words) {
        const text = words.trim();
        if (text === '') return (await companiesLike(calls, query)).map(itemOf);
        const label = vscode.l10n.t('Ask for “{0}”', labelText(text));
        const typed = { label, iconPath: new vscode.ThemeIcon('search'), text };
        const found = (await calls.findCompanies(text, 50)).map(itemOf);
        // Enter takes the first: an identifier as it was typed, but of a few words the company that they find.
        return certainKind(text, 'identifiers') === null ? [...found, typed] : [typed, ...found];
      },
    },
    log,
  );
  return picked?.text;
}

function itemOf(company: LibraryCompany): CandidateItem {
  const { name, text } = candidateOf(company);
  return {
    label: labelText(name),
    description: labelText(text),
    detail: labelText([company.country, company.sector].filter((part) => part !== null).join(' · ')),
    text,
  };
}

/**
 * Offers the PDFs of companies, all or the newest fiscal year of each, from what the library on this machine knows.
 * The download shows its plan and asks before it starts.
 * @throws Error when the library knows of no PDF of theirs
 */
export async function downloadCompanies(services: Services, companyKeys: readonly string[]): Promise<void> {
  const { library } = await services.library();
  const all = await library.reportIds({ company_key: companyKeys, facts: { has_file: true } });
  if (all.length === 0)
    throw new Error(
      vscode.l10n.t('The library on this machine has no PDFs of these companies yet. Run Sync Now, then try again.'),
    );
  const newest = new Set<number>();
  for (const key of companyKeys) {
    const year = (await library.company(key))?.newest ?? null;
    const query = { company_key: [key], fcyear: [year], facts: { has_file: true } } as const;
    for (const id of await library.reportIds(query)) newest.add(id);
  }
  const item = (label: string, ids: readonly number[]) => ({
    label,
    description: counted(ids.length, l10n.later('1 PDF'), l10n.later('{0} PDFs')),
    ids,
  });
  const chosen = await vscode.window.showQuickPick(
    [
      item(vscode.l10n.t('Newest Fiscal Year of Each Company'), [...newest]),
      item(vscode.l10n.t('All Fiscal Years'), all),
    ].filter(({ ids }) => ids.length > 0),
    {
      title: vscode.l10n.t('Download PDFs'),
      placeHolder: counted(
        companyKeys.length,
        l10n.later('Reports of 1 matched company'),
        l10n.later('Reports of {0} matched companies'),
      ),
    },
  );
  if (chosen) await downloadReports(chosen.ids);
}

/** Downloads reports as a person who chose them in a list would. */
export async function downloadReports(reportIds: readonly number[]): Promise<void> {
  const chosen = reportIds.map((report_id) => ({ report_id }));
  await vscode.commands.executeCommand(commandIds.downloadReports, chosen[0], chosen);
}
