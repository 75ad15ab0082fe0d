import * as vscode from 'vscode';
import type { LibraryCompany } from '../../library/companyQuery.ts';
import type { Services } from '../../services.ts';
import { commandIds } from '../common/commandIds.ts';
import { labelText } from '../common/plainText.ts';
import type { CompanyNode } from './nodes/companyNode.ts';
import type { WatchlistNode, WatchlistTree } from './tree.ts';

/** A first load reads the tree anew a few times a second. */
const mostLooks = 5;

/** Shows a company in the tree; one that a person picked opens its panel too. */
export async function openCompany(
  services: Services,
  tree: WatchlistTree,
  view: vscode.TreeView<WatchlistNode>,
  key: unknown,
): Promise<void> {
  const node = await chooseCompany(services, tree, key);
  if (!node) return;
  const byProgram = typeof key === 'string';
  await reveal(view, node, { select: true, focus: byProgram, expand: true });
  if (!byProgram) await vscode.commands.executeCommand(commandIds.showCompany, node.company.company_key);
}

/** Shows a row; a tree that is read anew meanwhile has another row for it, which is looked for again. */
async function reveal(
  view: vscode.TreeView<WatchlistNode>,
  node: CompanyNode,
  options: Parameters<typeof view.reveal>[1],
): Promise<void> {
  for (let left = mostLooks - 1; ; left--) {
    try {
      return await view.reveal(node, options);
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

/**
 * The company of a key, or one that the user picks; undefined when the user leaves.
 * @throws Error when no company of the licence has the key
 */
async function chooseCompany(services: Services, tree: WatchlistTree, key: unknown): Promise<CompanyNode | undefined> {
  const companyKey = typeof key === 'string' ? key : await pick(services);
  if (companyKey === undefined) return undefined;
  const node = await tree.company(companyKey);
  if (!node)
    throw new Error(vscode.l10n.t('No company in your licence has that key. Check it, or resolve its identifiers.'));
  return node;
}

interface CompanyPick extends vscode.QuickPickItem {
  readonly key: string;
}

/** A quick pick that asks the library as the user types. */
async function pick(services: Services): Promise<string | undefined> {
  const { library } = await services.library();
  const box = vscode.window.createQuickPick<CompanyPick>();
  box.title = vscode.l10n.t('Open Company');
  box.placeholder = vscode.l10n.t('Name, key or identifier');
  let asked = 0;
  const fill = async (text: string) => {
    const mine = ++asked;
    const companies =
      text.trim() === ''
        ? (await library.companies({ sort: 'name' }, { limit: 50 })).items
        : await library.findCompanies(text, 50);
    if (mine === asked) box.items = companies.map(pickOf);
  };
  try {
    await fill('');
    return await new Promise<string | undefined>((resolve, reject) => {
      box.onDidChangeValue((text) => void fill(text).catch(reject));
      box.onDidAccept(() => resolve(box.selectedItems[0]?.key));
      box.onDidHide(() => resolve(undefined));
      box.show();
    });
  } finally {
    box.dispose();
  }
}

function pickOf(company: LibraryCompany): CompanyPick {
  return {
    label: labelText(company.company_name ?? company.company_key),
    description: labelText(company.company_key),
    detail: labelText([company.country, company.sector].filter((part) => part !== null).join(' · ')),
    // Found by identifiers and spellings that the label does not hold.
    alwaysShow: true,
    key: company.company_key,
  };
}
