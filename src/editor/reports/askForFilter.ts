import * as vscode from 'vscode';
import type { TriStateField } from '../../api/schemas/fields.ts';
import type { TriState } from '../../api/schemas/report.ts';
import { reportClassName } from '../../api/schemas/reportTypes.ts';
import type { Library } from '../../library/library.ts';

import type { GroupBy } from '../../library/reportQuery.ts';

import { formatLanguages } from '../../protocol/format/numbers.ts';
import { labelText } from '../common/messages.ts';
import { typeLabel } from '../common/reportNode.ts';
import {
  describeFilter,
  factNames,
  factWords,
  frameworks,
  queryOf,
  type ReportsFilter,
  splitYearReports,
} from './filter.ts';
import { companyNames } from './groups.ts';

/** What the questions are answered from. */
interface FilterLibrary {
  readonly library: Pick<Library, 'countReports' | 'groupReports' | 'reports' | 'company' | 'companies'>;
  localReports(): Promise<readonly number[]>;
}

type Value = string | number | null;

const plain = (value: Value) => (value === null ? vscode.l10n.t('Not stated') : String(value));

/** What reports can be filtered by a list of values of, with what a value is called. */
const facets: readonly {
  readonly label: string;
  readonly member: Exclude<GroupBy, 'company'> | 'company_key';
  words(value: Value): string;
}[] = [
  {
    label: vscode.l10n.t('Fiscal Year'),
    member: 'fcyear',
    words: (year) => (year === null ? vscode.l10n.t('Undated') : String(year)),
  },
  {
    label: vscode.l10n.t('Report Type'),
    member: 'type',
    words: (code) => (code === null ? plain(code) : typeLabel(String(code))),
  },
  { label: vscode.l10n.t('Company'), member: 'company_key', words: plain },
  { label: vscode.l10n.t('Class'), member: 'class', words: (code) => reportClassName(String(code)) ?? plain(code) },
  {
    label: vscode.l10n.t('Language'),
    member: 'language',
    words: (code) => (code === null ? plain(code) : formatLanguages(String(code), vscode.env.language)),
  },
  { label: vscode.l10n.t('Country'), member: 'country', words: plain },
  { label: vscode.l10n.t('Sector'), member: 'sector', words: plain },
  { label: vscode.l10n.t('Industry'), member: 'industry', words: plain },
];
type Facet = (typeof facets)[number];

/** One thing to filter by: what it is set to, and how it is asked for; undefined when the person leaves. */
interface Step extends vscode.QuickPickItem {
  ask(): Promise<ReportsFilter | undefined>;
}

/** Asks for one part of the filter after the other until the user is done; undefined when the user leaves. */
export async function askForFilter(from: FilterLibrary, start: ReportsFilter): Promise<ReportsFilter | undefined> {
  let filter = start;
  for (;;) {
    const step = await vscode.window.showQuickPick(await new FilterQuestions(from, filter).steps(), {
      title: vscode.l10n.t('Filter Reports'),
      placeHolder: describeFilter(filter) || vscode.l10n.t('Choose what to filter by'),
    });
    if (!step) return undefined;
    if (step.alwaysShow) return filter;
    filter = (await step.ask()) ?? filter;
  }
}

/** The questions of one round: each knows how many reports its answers leave. */
class FilterQuestions {
  readonly #from: FilterLibrary;
  readonly #filter: ReportsFilter;

  constructor(from: FilterLibrary, filter: ReportsFilter) {
    this.#from = from;
    this.#filter = filter;
  }

  async steps(): Promise<Step[]> {
    const filter = this.#filter;
    const count = await this.#count(filter);
    const shows = count === '1' ? vscode.l10n.t('Show 1 report') : vscode.l10n.t('Show {0} reports', count);
    const clear = { label: vscode.l10n.t('$(clear-all) Clear Filter'), ask: async () => ({}) };
    const standards = (Object.keys(frameworks) as TriStateField[]).flatMap((field) => this.#factWords(field) ?? []);
    return [
      { label: `$(check) ${shows}`, alwaysShow: true, ask: async () => filter },
      ...(describeFilter(filter) === '' ? [] : [clear]),
      step(vscode.l10n.t('$(search) Words'), filter.text, () => askForWords(filter)),
      ...(await Promise.all(facets.map((facet) => this.#facetSteps(facet)))).flat(),
      step(vscode.l10n.t('$(checklist) Standards'), standards.join(', '), () => this.#askForStandards()),
      this.#factStep('checklist', vscode.l10n.t('Materiality Assessment'), 'has_materiality_assessment'),
      this.#factStep('checklist', vscode.l10n.t('Materiality Matrix'), 'has_materiality_matrix'),
      this.#factStep('verified', vscode.l10n.t('Assurance Statement'), 'independent_assurance_report_included'),
      step(vscode.l10n.t('$(verified) Assurance Level'), filter.assurance_level?.map(plain).join(', '), () =>
        this.#askForLevel(),
      ),
      step(vscode.l10n.t('$(file-pdf) Downloaded'), downloadedWords(filter), () => this.#askForDownloaded()),
      this.#factStep('file-pdf', vscode.l10n.t('PDF Available'), 'has_file'),
    ];
  }

  async #count(filter: ReportsFilter): Promise<string> {
    const { query } = await queryOf(filter, this.#from);
    return (await this.#from.library.countReports(query)).toLocaleString();
  }

  #factWords(field: TriStateField): string | undefined {
    const value = this.#filter.facts?.[field];
    return value === undefined ? undefined : factWords(field, value);
  }

  #factStep(icon: string, label: string, field: TriStateField): Step {
    return step(`$(${icon}) ${label}`, this.#factWords(field), () => this.#askForFact(field));
  }

  async #facetSteps(facet: Facet): Promise<Step[]> {
    const values = this.#filter[facet.member] ?? [];
    const names = facet.member === 'company_key' ? await this.#companyNames(values) : null;
    const chosen = values.map((value) => names?.get(String(value)) ?? facet.words(value)).join(', ');
    const own = step(`$(filter) ${facet.label}`, chosen, () => this.#askForValues(facet));
    return facet.member === 'fcyear' ? [own, ...(await this.#splitYearStep())] : [own];
  }

  /** Where old two-year records hide reports of the years asked for, it is offered to take them in (FY-3). */
  async #splitYearStep(): Promise<Step[]> {
    const { splitYears, ...rest } = this.#filter;
    if (splitYears) return [{ label: vscode.l10n.t('$(close) Leave Out Split Fiscal Years'), ask: async () => rest }];
    const { query } = await queryOf(this.#filter, this.#from);
    const split = await splitYearReports(query, this.#from);
    const count = [...split.values()].flat().length;
    if (count === 0) return [];
    const years = [...split.keys()].map((year) => `${year}/${year + 1}`).join(', ');
    const label =
      count === 1
        ? vscode.l10n.t('$(add) Include 1 Report of Split Fiscal Years')
        : vscode.l10n.t('$(add) Include {0} Reports of Split Fiscal Years', count.toLocaleString());
    const description = vscode.l10n.t(
      '{0}, filed under the first year; their periods end in the year you chose',
      years,
    );
    return [{ label, description, ask: async () => ({ ...rest, splitYears: true }) }];
  }

  async #askForValues({ label, member, words }: Facet): Promise<ReportsFilter | undefined> {
    const { [member]: chosen, ...others } = this.#filter;
    // Which split years are meant hangs on the years.
    const { splitYears, ...rest } = others;
    const base: ReportsFilter = member === 'fcyear' ? rest : others;
    const { query } = await queryOf(base, this.#from);
    const groups = await this.#from.library.groupReports(query, member === 'company_key' ? 'company' : member);
    const names = member === 'company_key' ? await this.#companyNames(groups.map(({ value }) => value)) : null;
    const items = groups.map(({ value, count }) => ({
      label: labelText(names?.get(String(value)) ?? words(value)),
      description: count.toLocaleString(),
      picked: (chosen as readonly Value[] | undefined)?.includes(value) ?? false,
      value,
    }));
    if (names) items.sort((a, b) => a.label.localeCompare(b.label));
    if (member === 'fcyear') items.sort((a, b) => Number(b.value ?? 0) - Number(a.value ?? 0));
    const picked = await vscode.window.showQuickPick(items, { title: titleOf(label), canPickMany: true });
    if (!picked) return undefined;
    return picked.length === 0 ? base : { ...base, [member]: picked.map(({ value }) => value) };
  }

  #companyNames(keys: readonly Value[]): Promise<ReadonlyMap<string, string>> {
    return companyNames(
      this.#from.library,
      keys.map((value) => ({ value })),
    );
  }

  /** Asks for one of the three values of a fact, or any (CNV-2). */
  async #askForFact(field: TriStateField): Promise<ReportsFilter | undefined> {
    const { facts = {}, ...rest } = this.#filter;
    const { [field]: now, ...others } = facts;
    const filterWith = (value: TriState | undefined): ReportsFilter => {
      const chosen = value === undefined ? others : { ...others, [field]: value };
      return Object.keys(chosen).length === 0 ? rest : { ...rest, facts: chosen };
    };
    const items = await Promise.all(
      answers.map(async ([value, words, detail]) => {
        const next = filterWith(value);
        const description = [await this.#count(next), detail].filter(Boolean).join(' · ');
        return { label: `$(${value === now ? 'check' : 'blank'}) ${words}`, description, next };
      }),
    );
    const options = { title: titleOf(factNames[field]), placeHolder: asExtracted };
    return (await vscode.window.showQuickPick(items, options))?.next;
  }

  /** Asks which standard, then for its value; each of those chosen must hold. */
  async #askForStandards(): Promise<ReportsFilter | undefined> {
    const items = (Object.keys(frameworks) as (keyof typeof frameworks)[]).map((field) => {
      const words = this.#factWords(field);
      const label = `$(${words === undefined ? 'blank' : 'check'}) ${frameworks[field]}`;
      return { label, ...(words !== undefined && { description: words }), field };
    });
    const options = { title: vscode.l10n.t('Filter Reports: Standards'), placeHolder: asExtracted };
    const chosen = await vscode.window.showQuickPick(items, options);
    return chosen && this.#askForFact(chosen.field);
  }

  /** The levels that the interface names; null asks for reports that state none. */
  async #askForLevel(): Promise<ReportsFilter | undefined> {
    const { assurance_level: chosen, ...rest } = this.#filter;
    const items = await Promise.all(
      (['limited', 'reasonable', null] as const).map(async (level) => ({
        label: level === null ? vscode.l10n.t('Not stated') : `${level[0]?.toUpperCase()}${level.slice(1)}`,
        description: await this.#count({ ...rest, assurance_level: [level] }),
        picked: chosen?.includes(level) ?? false,
        level,
      })),
    );
    const title = vscode.l10n.t('Filter Reports: Assurance Level');
    const picked = await vscode.window.showQuickPick(items, { title, placeHolder: asExtracted, canPickMany: true });
    if (!picked) return undefined;
    return picked.length === 0 ? rest : { ...rest, assurance_level: picked.map(({ level }) => level) };
  }

  async #askForDownloaded(): Promise<ReportsFilter | undefined> {
    const { downloaded: _, ...rest } = this.#filter;
    const item = async (label: string, next: ReportsFilter) => ({ label, description: await this.#count(next), next });
    const items = [
      await item(vscode.l10n.t('Any'), rest),
      await item(vscode.l10n.t('PDF Is in This Workspace'), { ...rest, downloaded: true }),
      await item(vscode.l10n.t('PDF Is Not in This Workspace'), { ...rest, downloaded: false }),
    ];
    return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Filter Reports: Downloaded') }))?.next;
  }
}

const asExtracted = vscode.l10n.t('As extracted from the reports; not an audit');

/** What a report can say of a fact, in words; undefined is "any". */
const answers: readonly (readonly [value: TriState | undefined, words: string, detail?: string])[] = [
  [undefined, vscode.l10n.t('Any')],
  [true, vscode.l10n.t('Yes')],
  [false, vscode.l10n.t('No'), vscode.l10n.t('The report rules it out')],
  [null, vscode.l10n.t('Undetermined'), vscode.l10n.t('Not stated in the report')],
];

function titleOf(what: string): string {
  return vscode.l10n.t('Filter Reports: {0}', what);
}

function step(label: string, now: string | undefined, ask: Step['ask']): Step {
  return { label, ...(now && { description: labelText(now) }), ask };
}

function downloadedWords({ downloaded }: ReportsFilter): string | undefined {
  if (downloaded === undefined) return undefined;
  return downloaded ? vscode.l10n.t('in this workspace') : vscode.l10n.t('not in this workspace');
}

async function askForWords(filter: ReportsFilter): Promise<ReportsFilter | undefined> {
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Filter Reports: Words'),
    prompt: vscode.l10n.t(
      'Words of the title, the company, its identifiers or the report key. Leave empty to match all.',
    ),
    value: filter.text ?? '',
  });
  if (text === undefined) return undefined;
  const { text: _, ...rest } = filter;
  return text.trim() === '' ? rest : { ...rest, text: text.trim() };
}
