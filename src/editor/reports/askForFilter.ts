import * as vscode from 'vscode';
import { reportClassNames } from '../../api/schemas/reportTypes.ts';
import type { GroupBy, GroupCount, ReportQuery } from '../../library/reportQuery.ts';
import { formatLanguages } from '../../protocol/format/languages.ts';
import type { LocalLibrary } from '../../services.ts';
import { labelText } from '../common/plainText.ts';
import { typeLabel } from '../common/reportNode.ts';
import { describeFilter, type FrameworkField, frameworks, queryOf, type ReportsFilter } from './filter.ts';

interface Facet {
  readonly label: string;
  readonly member: 'type' | 'class' | 'fcyear' | 'language' | 'country' | 'sector';
  readonly by: GroupBy;
  words(value: string | number | null): string;
}

const plain = (value: string | number | null) => (value === null ? 'Not stated' : String(value));

const facets: readonly Facet[] = [
  { label: 'Fiscal Year', member: 'fcyear', by: 'fcyear', words: (year) => (year === null ? 'Undated' : String(year)) },
  { label: 'Report Type', member: 'type', by: 'type', words: (code) => typeLabel(code === null ? null : String(code)) },
  { label: 'Class', member: 'class', by: 'class', words: (code) => reportClassNames[String(code)] ?? plain(code) },
  {
    label: 'Language',
    member: 'language',
    by: 'language',
    words: (code) => (code === null ? 'Not stated' : formatLanguages(String(code), vscode.env.language)),
  },
  { label: 'Country', member: 'country', by: 'country', words: plain },
  { label: 'Sector', member: 'sector', by: 'sector', words: plain },
];

interface Step extends vscode.QuickPickItem {
  readonly ask: () => Promise<ReportsFilter | undefined>;
}

/** Asks for one part of the filter after the other until the user is done; undefined when nothing was changed. */
export async function askForFilter(local: LocalLibrary, start: ReportsFilter): Promise<ReportsFilter | undefined> {
  let filter = start;
  for (;;) {
    const step = await vscode.window.showQuickPick(await steps(local, filter), {
      title: 'Filter Reports',
      placeHolder: describeFilter(filter) || 'Choose what to filter by',
    });
    if (!step) return filter === start ? undefined : filter;
    if (step.alwaysShow) return filter;
    filter = (await step.ask()) ?? filter;
  }
}

async function steps(local: LocalLibrary, filter: ReportsFilter): Promise<Step[]> {
  const count = await local.library.countReports(queryOf(filter));
  const asIs = async () => filter;
  const shows = `Show ${count.toLocaleString()} ${count === 1 ? 'report' : 'reports'}`;
  const items: Step[] = [{ label: `$(check) ${shows}`, alwaysShow: true, ask: asIs }];
  if (describeFilter(filter) !== '') items.push({ label: '$(clear-all) Clear Filter', ask: async () => ({}) });
  items.push({ label: '$(search) Words', ...current(filter.text), ask: () => askForWords(filter) });
  for (const facet of facets) {
    const chosen = filter[facet.member]?.map((value) => facet.words(value)).join(', ');
    items.push({
      label: `$(filter) ${facet.label}`,
      ...current(chosen),
      ask: () => askForValues(local, filter, facet),
    });
  }
  const chosen = filter.framework?.map((field) => frameworks[field]).join(', ');
  items.push({ label: '$(filter) Framework Applied', ...current(chosen), ask: () => askForFrameworks(local, filter) });
  const file = filter.hasFile === undefined ? undefined : filter.hasFile ? 'with PDF' : 'without PDF';
  items.push({ label: '$(file-pdf) PDF', ...current(file), ask: () => askForFile(filter) });
  return items;
}

function current(text: string | undefined): { description?: string } {
  return text ? { description: labelText(text) } : {};
}

async function askForWords(filter: ReportsFilter): Promise<ReportsFilter | undefined> {
  const prompt = 'Words of the title, the company, its identifiers or the report key. Empty for any.';
  const text = await vscode.window.showInputBox({ title: 'Filter Reports: Words', prompt, value: filter.text ?? '' });
  if (text === undefined) return undefined;
  const { text: _, ...rest } = filter;
  return text.trim() === '' ? rest : { ...rest, text: text.trim() };
}

async function askForValues(
  local: LocalLibrary,
  filter: ReportsFilter,
  facet: Facet,
): Promise<ReportsFilter | undefined> {
  const { [facet.member]: chosen, ...rest } = filter;
  const groups: readonly GroupCount[] = await local.library.groupReports(queryOf(rest), facet.by);
  const items = groups.map(({ value, count }) => ({
    label: labelText(facet.words(value)),
    description: count.toLocaleString(),
    picked: (chosen as readonly (string | number | null)[] | undefined)?.includes(value) ?? false,
    value,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: `Filter Reports: ${facet.label}`,
    canPickMany: true,
  });
  if (!picked) return undefined;
  const values = picked.map(({ value }) => value).filter((value) => value !== null || facet.member === 'fcyear');
  return values.length === 0 ? rest : { ...rest, [facet.member]: values };
}

async function askForFrameworks(local: LocalLibrary, filter: ReportsFilter): Promise<ReportsFilter | undefined> {
  const { framework: chosen = [], ...rest } = filter;
  const base: ReportQuery = queryOf(rest);
  const items = await Promise.all(
    (Object.keys(frameworks) as FrameworkField[]).map(async (field) => ({
      label: frameworks[field],
      description: (
        await local.library.countReports({ ...base, facts: { ...base.facts, [field]: true } })
      ).toLocaleString(),
      picked: chosen.includes(field),
      field,
    })),
  );
  const placeHolder = 'All that you choose must apply, as extracted from the reports';
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Filter Reports: Framework Applied',
    placeHolder,
    canPickMany: true,
  });
  if (!picked) return undefined;
  return picked.length === 0 ? rest : { ...rest, framework: picked.map(({ field }) => field) };
}

async function askForFile(filter: ReportsFilter): Promise<ReportsFilter | undefined> {
  const { hasFile: _, ...rest } = filter;
  const items = [
    { label: 'Any', next: rest },
    { label: 'With PDF', next: { ...rest, hasFile: true } },
    { label: 'Without PDF', next: { ...rest, hasFile: false } },
  ];
  return (await vscode.window.showQuickPick(items, { title: 'Filter Reports: PDF' }))?.next;
}
