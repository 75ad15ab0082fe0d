import Papa from 'papaparse';
import * as vscode from 'vscode';
import { guardFormula } from '../../base/formulas.ts';
import { plainText } from '../../base/words.ts';
import { pageWords } from '../../evidence/forms.ts';
import { accepted, firstPage } from '../../evidence/record.ts';
import { labelText, notificationText, showProblem } from '../common/messages.ts';
import { type CheckedQuote, checkAll, type EvidenceCheck, summary, wordsOfState } from './checkEvidence.ts';
import { changeEvidence } from './evidenceFiles.ts';
import { itemOf, noQuotes, showRecord } from './openEvidence.ts';
import type { EvidencePorts } from './ports.ts';
import { editedHere } from './quote.ts';

const icons = { same: 'pass', found: 'search', ambiguous: 'question', gone: 'error', 'not-here': 'cloud' } as const;

interface QuoteItem extends vscode.QuickPickItem {
  readonly quote: CheckedQuote;
}

const accept = { iconPath: new vscode.ThemeIcon('check'), tooltip: vscode.l10n.t('Accept This Place') };
const download = { iconPath: new vscode.ThemeIcon('cloud-download'), tooltip: vscode.l10n.t('Download PDF') };
const asCsv = { iconPath: new vscode.ThemeIcon('table'), tooltip: vscode.l10n.t('Open as CSV') };

/** What most needs a look comes first. */
const order = ['gone', 'ambiguous', 'found', 'not-here', 'same'] as const;

/**
 * Shows what a check found: a choice opens the quote where it is now; a quote that was found in a newer PDF can be
 * accepted there, which nothing but a person does.
 */
export async function showResults(ports: EvidencePorts, check: EvidenceCheck): Promise<void> {
  if (check.quotes.length === 0) {
    void vscode.window.showInformationMessage(notificationText(check.problems[0] ?? noQuotes()));
    return;
  }
  const box = vscode.window.createQuickPick<QuoteItem>();
  const fill = ({ quotes, problems }: EvidenceCheck) => {
    box.title = [summary(quotes), ...problems.slice(0, 1)].join(' · ');
    box.items = quotes.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state)).map(quoteItem);
  };
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      showProblem(error, ports.log);
    }
  };
  const again = async () => {
    check = await checkAll(ports);
    fill(check);
  };
  box.matchOnDetail = true;
  // It is gone through one by one, with looks at pages and documents in between.
  box.ignoreFocusOut = true;
  box.buttons = [asCsv];
  box.placeholder = vscode.l10n.t('Choose a quote to see it on its page');
  fill(check);
  box.onDidTriggerButton(() => void attempt(() => openCsv(check.quotes)));
  box.onDidTriggerItemButton(({ button, item: { quote } }) =>
    attempt(async () => {
      if (button === accept) await acceptPlace(ports, quote);
      else await ports.downloadReports([quote.record.report_id]);
      await again();
    }),
  );
  box.onDidAccept(() => {
    const [item] = box.selectedItems;
    box.hide();
    if (item) void attempt(() => showRecord(ports, item.quote.record, item.quote.page));
  });
  box.onDidHide(() => box.dispose());
  box.show();
}

function quoteItem(quote: CheckedQuote): QuoteItem {
  const { record, state } = quote;
  const { label, detail } = itemOf(record);
  const buttons = state === 'found' ? [accept] : state === 'not-here' ? [download] : [];
  return { label: `$(${icons[state]}) ${label}`, detail: `${labelText(detailOf(quote))} · ${detail}`, buttons, quote };
}

function detailOf({ record, state, page, label = null, reason }: CheckedQuote): string {
  if (state === 'found' && page !== undefined) {
    const [before, now] = [pageWords(firstPage(record), record.regions[0]?.label ?? null), pageWords(page, label)];
    return vscode.l10n.t('{0}: was {1}, is {2} now', wordsOfState(state), before, now);
  }
  return [wordsOfState(state), reason].filter((part) => part !== undefined).join(': ');
}

/**
 * Moves a quote to the place where it was found in the newer PDF.
 * @throws Error with words for a person when its bytes are not those that the lock names
 */
export async function acceptPlace(
  ports: EvidencePorts,
  { root, record, page, label = null, pdf }: CheckedQuote,
): Promise<void> {
  if (page === undefined || !pdf) return;
  const published = await (await ports.downloads()).localPdfs(
    ({ row }) => row.report_id === pdf.report_id && row.sha256 === pdf.sha256,
  );
  if (published.length === 0) throw new Error(editedHere());
  const next = accepted(record, { sha256: pdf.sha256, region: { page, label, rectangles: [] } });
  await changeEvidence(root, (all) => ({
    ...all,
    records: all.records.map((one) => (one.id === record.id && one.sha256 === record.sha256 ? next : one)),
  }));
}

const columns = [
  ...['id', 'state', 'report_id', 'report_key', 'page', 'label', 'found_page', 'quote', 'note'],
  ...['sha256', 'created_at'],
];

/** All quotes as a table of separated values. */
export function quotesAsCsv(quotes: readonly CheckedQuote[]): string {
  const data = quotes.map(({ record, state, page }) => {
    const { id, report_id, report_key, regions, selector, note, sha256, created_at } = record;
    const found = state === 'found' ? page : undefined;
    const [first] = regions;
    const place = [first?.page, first?.label, found];
    return [id, state, report_id, report_key, ...place, selector?.exact, note, sha256, created_at].map((cell) =>
      guardFormula(plainText(String(cell ?? ''), 20_000)),
    );
  });
  return `${Papa.unparse({ fields: columns, data }, { newline: '\r\n' })}\r\n`;
}

async function openCsv(quotes: readonly CheckedQuote[]): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'csv', content: quotesAsCsv(quotes) });
  await vscode.window.showTextDocument(document);
}
