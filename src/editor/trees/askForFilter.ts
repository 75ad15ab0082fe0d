import * as vscode from 'vscode';
import type { TriStateField } from '../../api/schemas/fields.ts';
import { l10n } from '../../base/l10n.ts';
import { counted, countText } from '../../base/words.ts';
import type { Library } from '../../library/library.ts';
import type { GroupBy } from '../../library/reportQuery.ts';
import type { Mark } from '../../protocol/format/facts.ts';
import { labelText } from '../common/messages.ts';
import { currentItem, tick } from '../common/pickWhileTyping.ts';
import {
  describeFilter,
  type FilterSets,
  facetNames,
  facetWords,
  factAnswer,
  factNames,
  factWords,
  favouriteFilterWords,
  frameworkFields,
  frameworks,
  memberOf,
  narrowed,
  queryOf,
  type ReportsFilter,
  withoutPart,
} from '../common/reportsFilter.ts';
import { companyNames } from './reportsTree.ts';

interface FilterLibrary extends FilterSets {
  readonly library: Pick<Library, 'countReports' | 'groupReports' | 'company' | 'companies'>;
}

type Value = string | number | null;

/** One thing to filter by: what it is set to, and how it is asked for; undefined when the person leaves. */
interface FilterStep extends vscode.QuickPickItem {
  ask(): Promise<ReportsFilter | undefined>;
}

/** Asks for one part of the filter after the other until the user is done; undefined when the user leaves. */
export async function askForFilter(from: FilterLibrary, start: ReportsFilter): Promise<ReportsFilter | undefined> {
  let filter = start;
  const list = new QuestionList();
  try {
    for (;;) {
      const title = vscode.l10n.t('Filter Reports');
      const placeHolder = describeFilter(filter) || vscode.l10n.t('Choose what to filter by');
      const [step] = (await list.ask(new FilterQuestions(from, filter, list).steps(), { title, placeHolder })) ?? [];
      if (!step) return undefined;
      if (step.alwaysShow) return filter;
      filter = (await step.ask()) ?? filter;
    }
  } finally {
    list.dispose();
  }
}

const asExtracted = vscode.l10n.t('As extracted from the reports; not an audit');

/** An answer that can be asked for, in words; null is "any". */
type FilterAnswer = readonly [answer: Mark | null, words: string, detail?: string];

const any: FilterAnswer = [null, vscode.l10n.t('Any')];
const factAnswers: readonly FilterAnswer[] = [
  any,
  ['yes', vscode.l10n.t('Yes')],
  ['no', vscode.l10n.t('No'), vscode.l10n.t('The report rules it out')],
  ['undetermined', vscode.l10n.t('Undetermined'), vscode.l10n.t('Not stated in the report')],
];
const favouriteAnswers: readonly FilterAnswer[] = [
  any,
  ['yes', vscode.l10n.t('Favourites Only'), vscode.l10n.t('With all reports of favourite companies')],
  ['no', vscode.l10n.t('No Favourites')],
];
const downloadedAnswers: readonly FilterAnswer[] = [
  any,
  ['yes', vscode.l10n.t('PDF Is in This Workspace')],
  ['no', vscode.l10n.t('PDF Is Not in This Workspace')],
];

/** The questions of one round: each knows how many reports its answers leave. */
class FilterQuestions {
  readonly #from: FilterLibrary;
  readonly #filter: ReportsFilter;
  readonly #list: QuestionList;

  constructor(from: FilterLibrary, filter: ReportsFilter, list: QuestionList) {
    this.#from = from;
    this.#filter = filter;
    this.#list = list;
  }

  async steps(): Promise<FilterStep[]> {
    const filter = this.#filter;
    const count = await this.#count(filter);
    const show = counted(count, l10n.later('Show 1 report'), l10n.later('Show {0} reports'));
    const clear = step('clear-all', vscode.l10n.t('Clear Filter'), undefined, async () => ({}));
    const standards = frameworkFields.flatMap((field) => factWords(filter, field) ?? []).join(', ');
    const { favourite, downloaded } = filter;
    const starred = favourite === undefined ? undefined : favouriteFilterWords(favourite);
    const inWorkspace = downloaded ? vscode.l10n.t('in this workspace') : vscode.l10n.t('not in this workspace');
    const here = downloaded === undefined ? undefined : inWorkspace;
    const favourites = vscode.l10n.t('Favourites');
    const downloads = vscode.l10n.t('Downloaded');
    const { assurance_level: _, ...facets } = facetNames;
    return [
      { ...step('check', show, undefined, async () => filter), alwaysShow: true },
      ...(describeFilter(filter) === '' ? [] : [clear]),
      step('search', vscode.l10n.t('Words'), filter.text, () => askForWords(filter)),
      step('star-empty', favourites, starred, () => this.#askFor('favourite', favourites, favouriteAnswers)),
      ...(await Promise.all((Object.keys(facets) as GroupBy[]).map((by) => this.#facetSteps(by)))).flat(),
      step('checklist', vscode.l10n.t('Standards'), standards, () => this.#askForStandards()),
      this.#factStep('checklist', 'has_materiality_assessment'),
      this.#factStep('checklist', 'has_materiality_matrix'),
      this.#factStep('verified', 'independent_assurance_report_included'),
      ...(await this.#facetSteps('assurance_level')),
      step('file-pdf', downloads, here, () => this.#askFor('downloaded', downloads, downloadedAnswers)),
      this.#factStep('file-pdf', 'has_file', vscode.l10n.t('PDF Available')),
    ];
  }

  async #count(filter: ReportsFilter): Promise<number> {
    return this.#from.library.countReports(await queryOf(filter, this.#from));
  }

  #factStep(icon: string, field: TriStateField, label = factNames[field]): FilterStep {
    return step(icon, label, factWords(this.#filter, field), () => this.#askForFact(field));
  }

  async #facetSteps(by: GroupBy): Promise<FilterStep[]> {
    const values: readonly Value[] = this.#filter[memberOf(by)] ?? [];
    const words = await this.#wordsOf(by, values);
    const icon = by === 'assurance_level' ? 'verified' : 'filter';
    const own = step(icon, facetNames[by], values.map(words).join(', '), () => this.#askForValues(by));
    return by === 'fcyear' ? [own, ...(await this.#splitYearStep())] : [own];
  }

  /** Where old two-year records hide reports of the years asked for, it is offered to take them in (FY-3). */
  async #splitYearStep(): Promise<FilterStep[]> {
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
    const others = withoutPart(this.#filter, memberOf(by));
    const picked = await this.#list.ask(this.#valuesOf(by, others), {
      title: titleOf(facetNames[by]),
      placeHolder: by === 'assurance_level' ? asExtracted : '',
      canPickMany: true,
    });
    if (!picked) return undefined;
    return picked.length === 0 ? others : { ...others, [memberOf(by)]: picked.map(({ value }) => value) };
  }

  /** The values that the reports have, each with how many have it; those of the filter are ticked. */
  async #valuesOf(by: GroupBy, others: ReportsFilter) {
    const chosen: readonly Value[] = this.#filter[memberOf(by)] ?? [];
    const groups = await this.#from.library.groupReports(await queryOf(others, this.#from), by);
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
  #askForFact(field: TriStateField): Promise<ReportsFilter | undefined> {
    return this.#askFor(field, factNames[field], factAnswers, asExtracted);
  }

  async #askFor(
    field: TriStateField | 'favourite' | 'downloaded',
    what: string,
    answers: readonly FilterAnswer[],
    placeHolder = '',
  ): Promise<ReportsFilter | undefined> {
    const items = answers.map(async ([answer, words, detail]) => {
      const next = narrowed(this.#filter, { by: 'fact', field, answer });
      const isNow = answer === factAnswer(this.#filter, field);
      return { ...currentItem(words, isNow, countText(await this.#count(next)), detail), next };
    });
    const [chosen] = (await this.#list.ask(Promise.all(items), { title: titleOf(what), placeHolder })) ?? [];
    return chosen?.next;
  }

  /** Asks which standard, then for its value; each of those chosen must hold. */
  async #askForStandards(): Promise<ReportsFilter | undefined> {
    const items = frameworkFields.map((field) => {
      const words = factWords(this.#filter, field);
      return { label: frameworks[field], iconPath: tick(words !== undefined), description: words ?? '', field };
    });
    const question = { title: titleOf(vscode.l10n.t('Standards')), placeHolder: asExtracted };
    const [chosen] = (await this.#list.ask(Promise.resolve(items), question)) ?? [];
    return chosen && this.#askForFact(chosen.field);
  }
}

function titleOf(what: string): string {
  return vscode.l10n.t('Filter Reports: {0}', what);
}

function step(icon: string, label: string, now: string | undefined, ask: FilterStep['ask']): FilterStep {
  return { label, iconPath: new vscode.ThemeIcon(icon), ...(now && { description: labelText(now) }), ask };
}

async function askForWords(filter: ReportsFilter): Promise<ReportsFilter | undefined> {
  const text = await vscode.window.showInputBox({
    title: titleOf(vscode.l10n.t('Words')),
    prompt: vscode.l10n.t(
      'Words of the title, the company, its identifiers or the report key. Leave empty to match all.',
    ),
    value: filter.text ?? '',
  });
  return text === undefined ? undefined : narrowed(filter, { by: 'text', text });
}

interface PickQuestion {
  readonly title: string;
  readonly placeHolder: string;
  readonly canPickMany?: boolean;
}

/**
 * One list for several questions in a row. It stays open between them, because where a list goes and another one comes,
 * the panel below takes the keyboard in between, and with that closes the second one before a person has seen it.
 */
class QuestionList {
  readonly #pick = vscode.window.createQuickPick<vscode.QuickPickItem>();

  /** The items that a person takes or ticks, the `picked` ones ticked at first; undefined when they leave. */
  async ask<T extends vscode.QuickPickItem>(
    reading: Promise<readonly T[]>,
    { title, placeHolder, canPickMany = false }: PickQuestion,
  ): Promise<readonly T[] | undefined> {
    const pick = this.#pick;
    Object.assign(pick, { title, placeholder: placeHolder, value: '', items: [], busy: true });
    pick.canSelectMany = canPickMany;
    pick.show();
    const left = Promise.withResolvers<undefined>();
    const taken = Promise.withResolvers<readonly T[]>();
    const listening = vscode.Disposable.from(
      pick.onDidHide(() => left.resolve(undefined)),
      pick.onDidAccept(() => {
        const chosen = canPickMany ? pick.selectedItems : pick.activeItems;
        if (!pick.busy && (canPickMany || chosen.length > 0)) taken.resolve(chosen as readonly T[]);
      }),
    );
    try {
      const items = await Promise.race([reading, left.promise]);
      if (!items) return undefined;
      pick.items = items;
      pick.busy = false;
      if (canPickMany) pick.selectedItems = items.filter(({ picked }) => picked);
      return await Promise.race([taken.promise, left.promise]);
    } finally {
      listening.dispose();
    }
  }

  dispose(): void {
    this.#pick.dispose();
  }
}
