import * as vscode from 'vscode';
import type { TriStateField } from '../../api/schemas/fields.ts';
import type { TriState } from '../../api/schemas/report.ts';
import { l10n } from '../../base/l10n.ts';
import { counted, countText } from '../../base/words.ts';
import type { Library } from '../../library/library.ts';
import type { GroupBy } from '../../library/reportQuery.ts';
import { labelText } from '../common/messages.ts';
import { currentItem, tick } from '../common/pickWhileTyping.ts';
import { QuestionPick } from '../common/questionPick.ts';
import {
  describeFilter,
  type FilterSets,
  facetNames,
  facetWords,
  factNames,
  factWords,
  favouriteWords,
  frameworkFields,
  frameworks,
  memberOf,
  queryOf,
  type ReportsFilter,
} from '../common/reportsFilter.ts';
import { companyNames } from './groups.ts';

interface FilterLibrary extends FilterSets {
  readonly library: Pick<Library, 'countReports' | 'groupReports' | 'company' | 'companies'>;
}

type Value = string | number | null;

/** One thing to filter by: what it is set to, and how it is asked for; undefined when the person leaves. */
interface Step extends vscode.QuickPickItem {
  ask(): Promise<ReportsFilter | undefined>;
}

/** A filter to go on with. */
interface ValueItem extends vscode.QuickPickItem {
  readonly next: ReportsFilter;
}

/** Asks for one part of the filter after the other until the user is done; undefined when the user leaves. */
export async function askForFilter(from: FilterLibrary, start: ReportsFilter): Promise<ReportsFilter | undefined> {
  let filter = start;
  const pick = new QuestionPick();
  try {
    for (;;) {
      const step = await pick.one(new FilterQuestions(from, filter, pick).steps(), {
        title: vscode.l10n.t('Filter Reports'),
        placeHolder: describeFilter(filter) || vscode.l10n.t('Choose what to filter by'),
      });
      if (!step) return undefined;
      if (step.alwaysShow) return filter;
      filter = (await step.ask()) ?? filter;
    }
  } finally {
    pick.dispose();
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

/** The questions of one round: each knows how many reports its answers leave. */
class FilterQuestions {
  readonly #from: FilterLibrary;
  readonly #filter: ReportsFilter;
  readonly #list: QuestionPick;

  constructor(from: FilterLibrary, filter: ReportsFilter, list: QuestionPick) {
    this.#from = from;
    this.#filter = filter;
    this.#list = list;
  }

  async steps(): Promise<Step[]> {
    const filter = this.#filter;
    const count = await this.#count(filter);
    const show = counted(count, l10n.later('Show 1 report'), l10n.later('Show {0} reports'));
    const clear = step('clear-all', vscode.l10n.t('Clear Filter'), undefined, async () => ({}));
    const standards = frameworkFields.flatMap((field) => factWords(filter, field) ?? []).join(', ');
    const { assurance_level: _, ...facets } = facetNames;
    return [
      { ...step('check', show, undefined, async () => filter), alwaysShow: true },
      ...(describeFilter(filter) === '' ? [] : [clear]),
      step('search', vscode.l10n.t('Words'), filter.text, () => askForWords(filter)),
      this.#favouriteStep(),
      ...(await Promise.all((Object.keys(facets) as GroupBy[]).map((by) => this.#facetSteps(by)))).flat(),
      step('checklist', vscode.l10n.t('Standards'), standards, () => this.#askForStandards()),
      this.#factStep('checklist', 'has_materiality_assessment'),
      this.#factStep('checklist', 'has_materiality_matrix'),
      this.#factStep('verified', 'independent_assurance_report_included'),
      ...(await this.#facetSteps('assurance_level')),
      step('file-pdf', vscode.l10n.t('Downloaded'), downloadedWords(filter), () => this.#askForDownloaded()),
      this.#factStep('file-pdf', 'has_file', vscode.l10n.t('PDF Available')),
    ];
  }

  async #count(filter: ReportsFilter): Promise<number> {
    return this.#from.library.countReports(await queryOf(filter, this.#from));
  }

  #factStep(icon: string, field: TriStateField, label = factNames[field]): Step {
    return step(icon, label, factWords(this.#filter, field), () => this.#askForFact(field));
  }

  async #facetSteps(by: GroupBy): Promise<Step[]> {
    const values: readonly Value[] = this.#filter[memberOf(by)] ?? [];
    const words = await this.#wordsOf(by, values);
    const icon = by === 'assurance_level' ? 'verified' : 'filter';
    const own = step(icon, facetNames[by], values.map(words).join(', '), () => this.#askForValues(by));
    return by === 'fcyear' ? [own, ...(await this.#splitYearStep())] : [own];
  }

  /** Where old two-year records hide reports of the years asked for, it is offered to take them in (FY-3). */
  async #splitYearStep(): Promise<Step[]> {
    const { splitYears, ...rest } = this.#filter;
    if (splitYears) return [step('close', vscode.l10n.t('Leave Out Two-Year Reports'), undefined, async () => rest)];
    const all = { ...rest, splitYears: true };
    const count = (await this.#count(all)) - (await this.#count(rest));
    if (count === 0) return [];
    const label = counted(count, l10n.later('Include 1 Two-Year Report'), l10n.later('Include {0} Two-Year Reports'));
    const about = vscode.l10n.t('Filed under the year before; their periods end in the year you chose');
    return [step('add', label, about, async () => all)];
  }

  async #wordsOf(by: GroupBy, values: readonly Value[]): Promise<(value: Value) => string> {
    const names = by === 'company' ? await companyNames(this.#from.library, values) : undefined;
    return (value) => names?.get(String(value)) ?? facetWords(by, value);
  }

  async #askForValues(by: GroupBy): Promise<ReportsFilter | undefined> {
    const { [memberOf(by)]: _, ...others } = this.#filter;
    // Which split years are meant hangs on the years.
    const { splitYears, ...rest } = others;
    const base: ReportsFilter = by === 'fcyear' ? rest : others;
    const picked = await this.#list.many(this.#valuesOf(by, base), {
      title: titleOf(facetNames[by]),
      ...(by === 'assurance_level' && { placeHolder: asExtracted }),
    });
    if (!picked) return undefined;
    return picked.length === 0 ? base : { ...base, [memberOf(by)]: picked.map(({ value }) => value) };
  }

  /** The values that the reports have, each with how many have it; those of the filter are ticked. */
  async #valuesOf(by: GroupBy, base: ReportsFilter) {
    const chosen: readonly Value[] = this.#filter[memberOf(by)] ?? [];
    const groups = await this.#from.library.groupReports(await queryOf(base, this.#from), by);
    const words = await this.#wordsOf(
      by,
      groups.map(({ value }) => value),
    );
    const items = groups.map(({ value, count }) => ({
      label: labelText(words(value)),
      description: countText(count),
      picked: chosen.includes(value),
      value,
    }));
    if (by === 'company') items.sort((a, b) => a.label.localeCompare(b.label));
    if (by === 'published') items.sort((a, b) => String(b.value ?? '').localeCompare(String(a.value ?? '')));
    if (by === 'fcyear') items.sort((a, b) => Number(b.value ?? 0) - Number(a.value ?? 0));
    return items;
  }

  /** Asks for one of the three values of a fact, or any (CNV-2). */
  async #askForFact(field: TriStateField): Promise<ReportsFilter | undefined> {
    const { facts = {}, ...rest } = this.#filter;
    const { [field]: now, ...others } = facts;
    const items = answers.map(([value, words, detail]) => {
      const chosen = value === undefined ? others : { ...others, [field]: value };
      const next = Object.keys(chosen).length === 0 ? rest : { ...rest, facts: chosen };
      return this.#answer(words, value === now, next, detail);
    });
    return this.#pick(factNames[field], items, asExtracted);
  }

  /** Asks which standard, then for its value; each of those chosen must hold. */
  async #askForStandards(): Promise<ReportsFilter | undefined> {
    const items = frameworkFields.map((field) => {
      const words = factWords(this.#filter, field);
      return {
        label: frameworks[field],
        iconPath: tick(words !== undefined),
        ...(words && { description: words }),
        field,
      };
    });
    const options = { title: titleOf(vscode.l10n.t('Standards')), placeHolder: asExtracted };
    const chosen = await this.#list.one(Promise.resolve(items), options);
    return chosen && this.#askForFact(chosen.field);
  }

  #favouriteStep(): Step {
    const { favourite: now } = this.#filter;
    const words = now === undefined ? undefined : favouriteWords(now);
    return step('star-empty', vscode.l10n.t('Favourites'), words, () => this.#askForFavourite());
  }

  #askForFavourite(): Promise<ReportsFilter | undefined> {
    const { favourite: now, ...rest } = this.#filter;
    const whole = vscode.l10n.t('With all reports of favourite companies');
    return this.#pick(vscode.l10n.t('Favourites'), [
      this.#answer(vscode.l10n.t('Any'), now === undefined, rest),
      this.#answer(vscode.l10n.t('Favourites Only'), now === true, { ...rest, favourite: true }, whole),
      this.#answer(vscode.l10n.t('No Favourites'), now === false, { ...rest, favourite: false }),
    ]);
  }

  #askForDownloaded(): Promise<ReportsFilter | undefined> {
    const { downloaded: now, ...rest } = this.#filter;
    return this.#pick(vscode.l10n.t('Downloaded'), [
      this.#answer(vscode.l10n.t('Any'), now === undefined, rest),
      this.#answer(vscode.l10n.t('PDF Is in This Workspace'), now === true, { ...rest, downloaded: true }),
      this.#answer(vscode.l10n.t('PDF Is Not in This Workspace'), now === false, { ...rest, downloaded: false }),
    ]);
  }

  async #answer(words: string, isNow: boolean, next: ReportsFilter, detail?: string): Promise<ValueItem> {
    return { ...currentItem(words, isNow, countText(await this.#count(next)), detail), next };
  }

  async #pick(
    what: string,
    items: readonly Promise<ValueItem>[],
    placeHolder?: string,
  ): Promise<ReportsFilter | undefined> {
    const options = { title: titleOf(what), ...(placeHolder && { placeHolder }) };
    return (await this.#list.one(Promise.all(items), options))?.next;
  }
}

function titleOf(what: string): string {
  return vscode.l10n.t('Filter Reports: {0}', what);
}

function step(icon: string, label: string, now: string | undefined, ask: Step['ask']): Step {
  return { label, iconPath: new vscode.ThemeIcon(icon), ...(now && { description: labelText(now) }), ask };
}

function downloadedWords({ downloaded }: ReportsFilter): string | undefined {
  if (downloaded === undefined) return undefined;
  return downloaded ? vscode.l10n.t('in this workspace') : vscode.l10n.t('not in this workspace');
}

async function askForWords(filter: ReportsFilter): Promise<ReportsFilter | undefined> {
  const text = await vscode.window.showInputBox({
    title: titleOf(vscode.l10n.t('Words')),
    prompt: vscode.l10n.t(
      'Words of the title, the company, its identifiers or the report key. Leave empty to match all.',
    ),
    value: filter.text ?? '',
  });
  if (text === undefined) return undefined;
  const { text: _, ...rest } = filter;
  return text.trim() === '' ? rest : { ...rest, text: text.trim() };
}
