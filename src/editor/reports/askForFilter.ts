import * as vscode from 'vscode';
import type { TriStateField } from '../../api/schemas/fields.ts';
import type { TriState } from '../../api/schemas/report.ts';
import { reportClassName } from '../../api/schemas/reportTypes.ts';
import type { Library } from '../../library/library.ts';
import type { GroupBy, GroupCount } from '../../library/reportQuery.ts';
import { formatLanguages } from '../../protocol/format/numbers.ts';
import { labelText } from '../common/messages.ts';
import { typeLabel } from '../common/reportNode.ts';
import { askForFact, askForStandards } from './askForFact.ts';
import { describeFilter, factWords, frameworks, type ReportsFilter } from './filter.ts';
import { queryOf, splitYearReports } from './filterQuery.ts';

/** What the questions are answered from. */
export interface FilterLibrary {
  readonly library: Pick<Library, 'countReports' | 'groupReports' | 'reports'>;
  localReports(): Promise<readonly number[]>;
}

interface Facet {
  readonly label: string;
  readonly member: 'type' | 'class' | 'fcyear' | 'language' | 'country' | 'sector' | 'industry';
  readonly by: GroupBy;
  words(value: string | number | null): string;
}

const plain = (value: string | number | null) => (value === null ? vscode.l10n.t('Not stated') : String(value));

const facets: readonly Facet[] = [
  {
    label: vscode.l10n.t('Fiscal Year'),
    member: 'fcyear',
    by: 'fcyear',
    words: (year) => (year === null ? vscode.l10n.t('Undated') : String(year)),
  },
  {
    label: vscode.l10n.t('Report Type'),
    member: 'type',
    by: 'type',
    words: (code) => (code === null ? plain(code) : typeLabel(String(code))),
  },
  {
    label: vscode.l10n.t('Class'),
    member: 'class',
    by: 'class',
    words: (code) => reportClassName(String(code)) ?? plain(code),
  },
  {
    label: vscode.l10n.t('Language'),
    member: 'language',
    by: 'language',
    words: (code) => (code === null ? plain(code) : formatLanguages(String(code), vscode.env.language)),
  },
  { label: vscode.l10n.t('Country'), member: 'country', by: 'country', words: plain },
  { label: vscode.l10n.t('Sector'), member: 'sector', by: 'sector', words: plain },
  { label: vscode.l10n.t('Industry'), member: 'industry', by: 'industry', words: plain },
];

interface Step extends vscode.QuickPickItem {
  readonly ask: () => Promise<ReportsFilter | undefined>;
}

/** Asks for one part of the filter after the other until the user is done; undefined when nothing was changed. */
export async function askForFilter(from: FilterLibrary, start: ReportsFilter): Promise<ReportsFilter | undefined> {
  let filter = start;
  for (;;) {
    const step = await vscode.window.showQuickPick(await steps(from, filter), {
      title: vscode.l10n.t('Filter Reports'),
      placeHolder: describeFilter(filter) || vscode.l10n.t('Choose what to filter by'),
    });
    if (!step) return filter === start ? undefined : filter;
    if (step.alwaysShow) return filter;
    filter = (await step.ask()) ?? filter;
  }
}

async function steps(from: FilterLibrary, filter: ReportsFilter): Promise<Step[]> {
  const { query } = await queryOf(filter, from);
  const count = await from.library.countReports(query);
  const shows =
    count === 1 ? vscode.l10n.t('Show 1 report') : vscode.l10n.t('Show {0} reports', count.toLocaleString());
  const items: Step[] = [{ label: `$(check) ${shows}`, alwaysShow: true, ask: async () => filter }];
  if (describeFilter(filter) !== '')
    items.push({ label: vscode.l10n.t('$(clear-all) Clear Filter'), ask: async () => ({}) });
  items.push({ label: vscode.l10n.t('$(search) Words'), ...current(filter.text), ask: () => askForWords(filter) });
  for (const facet of facets) {
    const chosen = filter[facet.member]?.map((value) => facet.words(value)).join(', ');
    items.push({ label: `$(filter) ${facet.label}`, ...current(chosen), ask: () => askForValues(from, filter, facet) });
    if (facet.member === 'fcyear') items.push(...(await splitYearStep(from, filter)));
  }
  const standards = (Object.keys(frameworks) as TriStateField[]).flatMap((field) => factOf(filter, field) ?? []);
  const fact = (icon: string, label: string, field: TriStateField): Step => ({
    label: `$(${icon}) ${label}`,
    ...current(factOf(filter, field)),
    ask: () => askForFact(from, filter, field),
  });
  items.push(
    {
      label: vscode.l10n.t('$(checklist) Standards'),
      ...current(standards.join(', ')),
      ask: () => askForStandards(from, filter),
    },
    fact('checklist', vscode.l10n.t('Materiality Assessment'), 'has_materiality_assessment'),
    fact('checklist', vscode.l10n.t('Materiality Matrix'), 'has_materiality_matrix'),
    fact('verified', vscode.l10n.t('Assurance Statement'), 'independent_assurance_report_included'),
    {
      label: vscode.l10n.t('$(verified) Assurance Level'),
      ...current(levelWords(filter)),
      ask: () => askForLevel(from, filter),
    },
    {
      label: vscode.l10n.t('$(file-pdf) Downloaded'),
      ...current(downloadedWords(filter)),
      ask: () => askForDownloaded(from, filter),
    },
    fact('file-pdf', vscode.l10n.t('PDF Available'), 'has_file'),
  );
  return items;
}

function current(text: string | undefined): { description?: string } {
  return text ? { description: labelText(text) } : {};
}

function factOf({ facts = {} }: ReportsFilter, field: TriStateField): string | undefined {
  const value: TriState | undefined = facts[field];
  return value === undefined ? undefined : factWords(field, value);
}

function downloadedWords({ downloaded }: ReportsFilter): string | undefined {
  return downloaded === undefined
    ? undefined
    : downloaded
      ? vscode.l10n.t('in this workspace')
      : vscode.l10n.t('not in this workspace');
}

/** Where old two-year records hide reports of the years asked for, it is offered to take them in (FY-3). */
async function splitYearStep(from: FilterLibrary, filter: ReportsFilter): Promise<Step[]> {
  const { splitYears, ...rest } = filter;
  if (splitYears) return [{ label: vscode.l10n.t('$(close) Leave Out Split Fiscal Years'), ask: async () => rest }];
  const { query } = await queryOf(filter, from);
  const split = await splitYearReports(query, from);
  const count = [...split.values()].flat().length;
  if (count === 0) return [];
  const years = [...split.keys()].map((year) => `${year}/${year + 1}`).join(', ');
  return [
    {
      label:
        count === 1
          ? vscode.l10n.t('$(add) Include 1 Report of Split Fiscal Years')
          : vscode.l10n.t('$(add) Include {0} Reports of Split Fiscal Years', count.toLocaleString()),
      description: vscode.l10n.t('{0}, filed under the first year; their periods end in the year you chose', years),
      ask: async () => ({ ...filter, splitYears: true }),
    },
  ];
}

async function askForWords(filter: ReportsFilter): Promise<ReportsFilter | undefined> {
  const prompt = vscode.l10n.t('Words of the title, the company, its identifiers or the report key. Empty for any.');
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Filter Reports: Words'),
    prompt,
    value: filter.text ?? '',
  });
  if (text === undefined) return undefined;
  const { text: _, ...rest } = filter;
  return text.trim() === '' ? rest : { ...rest, text: text.trim() };
}

async function askForValues(
  from: FilterLibrary,
  filter: ReportsFilter,
  facet: Facet,
): Promise<ReportsFilter | undefined> {
  const { [facet.member]: chosen, ...others } = filter;
  // Which split years are meant hangs on the years.
  const { splitYears, ...rest } = others;
  const base: ReportsFilter = facet.member === 'fcyear' ? rest : others;
  const groups: readonly GroupCount[] = await from.library.groupReports((await queryOf(base, from)).query, facet.by);
  const items = groups.map(({ value, count }) => ({
    label: labelText(facet.words(value)),
    description: count.toLocaleString(),
    picked: (chosen as readonly (string | number | null)[] | undefined)?.includes(value) ?? false,
    value,
  }));
  if (facet.member === 'fcyear') items.sort((a, b) => Number(b.value ?? 0) - Number(a.value ?? 0));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Filter Reports: {0}', facet.label),
    canPickMany: true,
  });
  if (!picked) return undefined;
  const values = picked.map(({ value }) => value);
  return values.length === 0 ? base : { ...base, [facet.member]: values };
}

/** The levels that the interface names; null asks for reports that state none. */
const levels = ['limited', 'reasonable', null] as const;

function levelWords({ assurance_level }: ReportsFilter): string | undefined {
  return assurance_level?.map(plain).join(', ');
}

async function askForLevel(from: FilterLibrary, filter: ReportsFilter): Promise<ReportsFilter | undefined> {
  const { assurance_level: chosen, ...rest } = filter;
  const items = await Promise.all(
    levels.map(async (level) => {
      const { query } = await queryOf({ ...rest, assurance_level: [level] }, from);
      const description = (await from.library.countReports(query)).toLocaleString();
      const label = level === null ? vscode.l10n.t('Not stated') : `${level[0]?.toUpperCase()}${level.slice(1)}`;
      return { label, description, picked: chosen?.includes(level) ?? false, level };
    }),
  );
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Filter Reports: Assurance Level'),
    placeHolder: vscode.l10n.t('As extracted from the reports; not an audit'),
    canPickMany: true,
  });
  if (!picked) return undefined;
  return picked.length === 0 ? rest : { ...rest, assurance_level: picked.map(({ level }) => level) };
}

async function askForDownloaded(from: FilterLibrary, filter: ReportsFilter): Promise<ReportsFilter | undefined> {
  const { downloaded: _, ...rest } = filter;
  const count = async (next: ReportsFilter) =>
    (await from.library.countReports((await queryOf(next, from)).query)).toLocaleString();
  const choice = async (label: string, next: ReportsFilter) => ({ label, description: await count(next), next });
  const items = [
    await choice(vscode.l10n.t('Any'), rest),
    await choice(vscode.l10n.t('PDF Is in This Workspace'), { ...rest, downloaded: true }),
    await choice(vscode.l10n.t('PDF Is Not in This Workspace'), { ...rest, downloaded: false }),
  ];
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Filter Reports: Downloaded') }))?.next;
}
