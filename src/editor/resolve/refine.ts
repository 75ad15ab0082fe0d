import * as vscode from 'vscode';
import { parseCompanyKey } from '../../identifiers/reportKey.ts';
import type { LibraryCompany } from '../../library/companyQuery.ts';
import { type ResolveEntry, statusOf } from '../../protocol/resultsView.ts';
import type { Services } from '../../services.ts';
import { labelText } from '../common/messages.ts';
import { resolveTexts } from './askCompanies.ts';

interface Choice extends vscode.QuickPickItem {
  readonly text: string;
}

/**
 * Asks for another identifier in place of one that did not lead to one company, and asks the service for that. Companies
 * of the library on this machine are offered; the person chooses, never the extension. Undefined when the person leaves.
 */
export async function refine(services: Services, entry: ResolveEntry): Promise<ResolveEntry | undefined> {
  const text = await askForOther(services, entry);
  if (text === undefined) return undefined;
  const { entries } = await resolveTexts(services, [text]);
  const [answer] = entries;
  return answer && { ...answer, query: entry.query, refined: text };
}

async function askForOther(services: Services, entry: ResolveEntry): Promise<string | undefined> {
  const { library } = await services.library();
  const box = vscode.window.createQuickPick<Choice>();
  box.title = vscode.l10n.t('Refine “{0}”', labelText(entry.query));
  box.placeholder =
    statusOf(entry) === 'ambiguous'
      ? vscode.l10n.t('Which company is meant? Choose it, or type MIC:TICKER, LEI, ISIN or FIGI')
      : vscode.l10n.t('Type MIC:TICKER, LEI, ISIN, FIGI or the exact name, or choose a company');
  let asked = 0;
  const fill = async (text: string) => {
    const mine = ++asked;
    const wanted = text.trim();
    const companies = await library.findCompanies(wanted === '' ? entry.query : wanted, 50);
    if (mine !== asked) return;
    const typed: Choice = {
      label: vscode.l10n.t('$(search) Ask for “{0}”', labelText(wanted)),
      alwaysShow: true,
      text: wanted,
    };
    box.items = [...(wanted === '' ? [] : [typed]), ...companies.map(choiceOf)];
  };
  try {
    await fill('');
    return await new Promise<string | undefined>((resolve, reject) => {
      box.onDidChangeValue((text) => void fill(text).catch(reject));
      box.onDidAccept(() => {
        const text = box.selectedItems[0]?.text ?? box.value.trim();
        if (text !== '') resolve(text);
      });
      box.onDidHide(() => resolve(undefined));
      box.show();
    });
  } finally {
    box.dispose();
  }
}

function choiceOf(company: LibraryCompany): Choice {
  const parts = parseCompanyKey(company.company_key);
  const text = parts?.listed ? `${parts.mic}:${parts.ticker}` : (company.lei ?? company.company_key);
  return {
    label: labelText(company.company_name ?? company.company_key),
    description: labelText(text),
    detail: labelText([company.country, company.sector].filter((part) => part !== null).join(' · ')),
    // Found by identifiers and spellings that the label does not hold.
    alwaysShow: true,
    text,
  };
}
