import * as vscode from 'vscode';
import type { App } from '../../app/app.ts';
import { isAbortError } from '../../base/clock.ts';
import { TextError } from '../../text/textError.ts';
import { labelText, problemText } from '../common/messages.ts';
import { heading, showUntilAnswered } from '../common/pickWhileTyping.ts';
import { pageName } from '../common/reportNode.ts';
import type { FoundPage, HitScope, PdfQuestion } from './hitList.ts';
import { companyLabel, coverageGaps, coverageLine, markedRow, yearAndType } from './hitWords.ts';
import type { PdfCoverage, PdfText } from './pdfText.ts';

/** What a person wants to see: an answer, from one of its pages on if they chose it, or how the PDFs stand. */
type BoxAnswer = { readonly question: PdfQuestion; readonly at: FoundPage | undefined } | 'coverage';

interface BoxItem extends vscode.QuickPickItem {
  readonly found?: FoundPage;
  readonly query?: string;
  readonly answers?: 'all' | 'coverage';
}

/** About as many as the editor shows without scrolling. */
const maxShown = 10;
const maxRecent = 10;
const recentKey = 'findInPdfs.recent';

/** The queries that were asked last, newest first; in the memory of the machine. */
function recentQueries(memory: vscode.Memento): readonly string[] {
  const stored = memory.get<unknown>(recentKey);
  const isQuery = (query: unknown): query is string => typeof query === 'string' && query !== '';
  return Array.isArray(stored) ? stored.filter(isQuery).slice(0, maxRecent) : [];
}

export async function rememberQuery(memory: vscode.Memento, query: string): Promise<void> {
  const others = recentQueries(memory).filter((other) => other !== query);
  await memory.update(recentKey, [query, ...others].slice(0, maxRecent));
}

const everything: HitScope = { words: '' };

/** Asks what to find, and shows the first hits while it is typed. Undefined when the person leaves. */
export function askInBox(
  text: PdfText,
  { extension: { globalState: memory }, log }: Pick<App, 'extension' | 'log'>,
  scope: HitScope,
  query: string,
): Promise<BoxAnswer | undefined> {
  const box = vscode.window.createQuickPick<BoxItem>();
  box.placeholder = vscode.l10n.t('Words, “a phrase”, begin*, NEAR(a b, 5), -without');
  box.matchOnDescription = false;
  box.value = query;
  // The order is ours: not in the typings yet; an editor that doesn't know it sorts by label.
  Object.assign(box, { sortByLabel: false });
  let isNarrow = scope.words !== '';
  const current = () => (isNarrow ? scope : everything);
  const title = () => {
    const name = vscode.l10n.t('Find in PDFs');
    box.title = isNarrow ? `${name} · ${labelText(scope.words)}` : name;
    const tooltip = isNarrow ? vscode.l10n.t('Search All PDFs') : vscode.l10n.t('Search Only {0}', scope.words);
    const iconPath = new vscode.ThemeIcon(isNarrow ? 'filter-filled' : 'filter');
    box.buttons = scope.words === '' ? [] : [{ iconPath, tooltip }];
  };
  title();
  return showUntilAnswered<BoxAnswer>(box, (resolve) => {
    let typing = new AbortController();
    const show = async () => {
      typing.abort();
      typing = new AbortController();
      const { signal } = typing;
      const words = box.value.trim();
      box.busy = true;
      try {
        const items =
          words === '' ? await emptyItems(text, memory, current()) : await foundItems(text, words, current(), signal);
        if (!signal.aborted) box.items = items.map((item) => ({ ...item, alwaysShow: true }));
      } catch (error) {
        if (signal.aborted || isAbortError(error)) return;
        const isQuery = error instanceof TextError && error.problem === 'query';
        if (!isQuery) log.error(problemText(error));
        box.items = [{ label: labelText(problemText(error)), alwaysShow: true }];
      } finally {
        if (!signal.aborted) box.busy = false;
      }
    };
    box.onDidChangeValue(show);
    box.onDidTriggerButton(() => {
      isNarrow = !isNarrow;
      title();
      void show();
    });
    box.onDidAccept(() => {
      const [item] = box.selectedItems;
      const words = box.value.trim();
      if (words === '' && item?.query !== undefined) {
        box.value = item.query;
        void show();
      } else if (item?.answers === 'coverage') resolve('coverage');
      else if (words !== '') {
        // Accepted before the items have followed the typing: all of the typed words are meant.
        const at = box.busy ? undefined : item?.found;
        resolve({ question: { query: words, scope: current() }, at });
      }
    });
    const following = text.onDidChange(() => {
      // While PDFs are read there may be something to find by now.
      const shown = box.items.flatMap(({ found }) => found ?? []);
      if (!box.busy && (shown.length === 0 || !shown.every((found) => text.answers(found)))) void show();
    });
    void show();
    return {
      dispose() {
        typing.abort();
        following.dispose();
      },
    };
  });
}

async function emptyItems(text: PdfText, memory: vscode.Memento, scope: HitScope): Promise<BoxItem[]> {
  const coverage = await text.coverage(scope);
  const recent = recentQueries(memory).map(
    (query): BoxItem => ({ label: labelText(query), iconPath: new vscode.ThemeIcon('history'), query }),
  );
  const examples = [
    ['scope 3', vscode.l10n.t('pages with both words')],
    [vscode.l10n.t('“net zero”'), vscode.l10n.t('these words in this order')],
    ['emission*', vscode.l10n.t('words beginning with “emission”')],
    [vscode.l10n.t('NEAR(water stress, 5)'), vscode.l10n.t('at most 5 words between them')],
    [vscode.l10n.t('climate -risk'), vscode.l10n.t('pages without a word')],
  ].map(([label = '', description = '']): BoxItem => ({ label, description, query: label }));
  return [
    ...(recent.length > 0 ? [heading(vscode.l10n.t('Last Searches')), ...recent] : []),
    heading(vscode.l10n.t('What You Can Type')),
    ...examples,
    heading(vscode.l10n.t('What Is Searched')),
    coverageItem(coverage),
  ];
}

function coverageItem(coverage: PdfCoverage): BoxItem {
  const iconPath = new vscode.ThemeIcon(coverage.reading ? 'sync~spin' : 'info');
  const { searchable, withoutText, failed, waiting } = coverage;
  const isNoneHere = searchable + withoutText + failed + waiting === 0;
  const gaps = coverageGaps(coverage);
  const description = gaps === '' && isNoneHere ? vscode.l10n.t('Download them first.') : gaps;
  return { label: coverageLine(coverage), description, iconPath, answers: 'coverage' };
}

/** What the box shows for a search: the first pages, or what there is to say where none is found. */
export async function foundItems(
  text: PdfText,
  query: string,
  scope: HitScope,
  signal: AbortSignal,
): Promise<BoxItem[]> {
  const { pages, next } = await text.find({ query, scope }, { limit: maxShown, cursor: null, signal });
  if (pages.length === 0) {
    const coverage = await text.coverage(scope);
    // A question, say, has words that no page has beside the others.
    const isOfWords = query.trim().includes(' ');
    const description = isOfWords ? vscode.l10n.t('No page has all of these words. Try fewer.') : '';
    return [{ label: vscode.l10n.t('Nothing found'), description }, coverageItem(coverage)];
  }
  const many = next === null ? String(pages.length) : `${pages.length}+`;
  const all: BoxItem = {
    label: vscode.l10n.t('Show All Results'),
    description: many,
    iconPath: new vscode.ThemeIcon('list-tree'),
    answers: 'all',
  };
  return [all, ...pages.map(hitItem)];
}

function hitItem(found: FoundPage): BoxItem {
  const { report } = found;
  return {
    label: `${yearAndType(report)} · ${pageName(found)}`,
    description: companyLabel(report),
    detail: markedRow('', found).label,
    iconPath: new vscode.ThemeIcon('file-pdf'),
    found,
  };
}
