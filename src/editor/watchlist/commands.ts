import * as vscode from 'vscode';
import type { LibraryCompany } from '../../library/companyQuery.ts';
import type { Services } from '../../services.ts';
import type { CommandRun } from '../common/commands.ts';
import { commandIds } from '../common/contributions.ts';
import type { LazyTree } from '../common/lazyTree.ts';
import { isMoreNode, type LibraryTreeContext } from '../common/libraryTree.ts';
import type { Log } from '../common/log.ts';
import { labelText } from '../common/messages.ts';
import { pickWhileTyping } from '../common/pickWhileTyping.ts';
import { arrange } from './arrangement.ts';
import type { CompanyNode } from './favouriteRows.ts';
import type { WatchlistNode, WatchlistTree } from './tree.ts';

export interface WatchlistContext extends LibraryTreeContext {
  /** Reads the service again, whether due or not. */
  syncAgain(): Promise<void>;
}

export function watchlistCommands(
  context: WatchlistContext,
  tree: LazyTree<WatchlistNode, WatchlistTree>,
  view: vscode.TreeView<WatchlistNode>,
): Readonly<Record<'openCompany' | 'arrangeWatchlist' | 'showMore' | 'refresh', CommandRun>> {
  return {
    async openCompany(companyKey) {
      await openCompany(context, await tree.tree(), view, companyKey);
    },
    async arrangeWatchlist() {
      if (await arrange(context.extension.workspaceState)) (await tree.loaded())?.reload();
    },
    async showMore(node) {
      if (isMoreNode(node)) node.showMore();
    },
    async refresh() {
      (await tree.loaded())?.reload();
      await context.syncAgain();
    },
  };
}

/** A first load reads the tree anew a few times a second. */
const maxLooks = 5;

/** Items of the picker. */
const maxItems = 50;

/**
 * Shows a company in the tree; one that a person picked opens its panel too.
 * @throws Error when no company of the licence has the key
 */
async function openCompany(
  { services, log }: WatchlistContext,
  tree: WatchlistTree,
  view: vscode.TreeView<WatchlistNode>,
  key: unknown,
): Promise<void> {
  const byProgram = typeof key === 'string';
  const companyKey = byProgram ? key : await pick(services, log);
  if (companyKey === undefined) return;
  const node = await tree.company(companyKey);
  if (!node)
    throw new Error(vscode.l10n.t('No company in your licence has that key. Check it, or resolve its identifiers.'));
  const shown = reveal(view, node, { select: true, focus: byProgram, expand: true });
  // Its years may have to be fetched first; the panel need not wait for them.
  const panel = byProgram || vscode.commands.executeCommand(commandIds.showCompany, companyKey);
  await Promise.all([shown, panel]);
}

/** Shows a row; a tree that is read anew meanwhile has another row for it, which is looked for again. */
async function reveal(
  view: vscode.TreeView<WatchlistNode>,
  node: CompanyNode,
  options: Parameters<typeof view.reveal>[1],
): Promise<void> {
  for (let left = maxLooks - 1; ; left--) {
    try {
      return await view.reveal(node, options);
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

interface CompanyItem extends vscode.QuickPickItem {
  readonly key: string;
}

async function pick(services: Services, log: Log): Promise<string | undefined> {
  const { library } = await services.library();
  const picked = await pickWhileTyping<CompanyItem>(
    library,
    {
      title: vscode.l10n.t('Open Company'),
      placeholder: vscode.l10n.t('Name, key or identifier'),
      itemsFor: async (calls, words) => {
        const found =
          words.trim() === ''
            ? (await calls.companies({ sort: 'name' }, { limit: maxItems })).items
            : await calls.findCompanies(words, maxItems);
        return found.map(itemOf);
      },
    },
    log,
  );
  return picked?.key;
}

function itemOf(company: LibraryCompany): CompanyItem {
  return {
    label: labelText(company.company_name ?? company.company_key),
    description: labelText(company.company_key),
    detail: labelText([company.country, company.sector].filter((part) => part !== null).join(' · ')),
    key: company.company_key,
  };
}
