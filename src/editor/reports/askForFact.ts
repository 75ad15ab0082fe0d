import * as vscode from 'vscode';
import type { TriStateField } from '../../api/schemas/fields.ts';
import type { TriState } from '../../api/schemas/report.ts';
import type { FilterLibrary } from './askForFilter.ts';
import { factNames, factWords, frameworks, type ReportsFilter } from './filter.ts';
import { queryOf } from './filterQuery.ts';

/** What a report can say of a fact, in words; undefined is "any". */
const answers: readonly (readonly [value: TriState | undefined, words: string, detail?: string])[] = [
  [undefined, vscode.l10n.t('Any')],
  [true, vscode.l10n.t('Yes')],
  [false, vscode.l10n.t('No'), vscode.l10n.t('The report shows that it does not')],
  [null, vscode.l10n.t('Undetermined'), vscode.l10n.t('The report does not tell')],
];

const asExtracted = vscode.l10n.t('As extracted from the reports; not an audit');

/** Asks for one of the three values of a fact, or any (CNV-2). */
export async function askForFact(
  from: FilterLibrary,
  filter: ReportsFilter,
  field: TriStateField,
): Promise<ReportsFilter | undefined> {
  const { facts = {}, ...rest } = filter;
  const { [field]: now, ...others } = facts;
  const filterWith = (value: TriState | undefined): ReportsFilter => {
    const chosen = value === undefined ? others : { ...others, [field]: value };
    return Object.keys(chosen).length === 0 ? rest : { ...rest, facts: chosen };
  };
  const items = await Promise.all(
    answers.map(async ([value, words, detail]) => {
      const next = filterWith(value);
      const count = await from.library.countReports((await queryOf(next, from)).query);
      const mark = value === now ? 'check' : 'blank';
      return {
        label: `$(${mark}) ${words}`,
        description: [count.toLocaleString(), detail].filter(Boolean).join(' · '),
        next,
      };
    }),
  );
  const title = vscode.l10n.t('Filter Reports: {0}', factNames[field]);
  return (await vscode.window.showQuickPick(items, { title, placeHolder: asExtracted }))?.next;
}

/** Asks which standard, then for its value; each of those chosen must hold. */
export async function askForStandards(from: FilterLibrary, filter: ReportsFilter): Promise<ReportsFilter | undefined> {
  const { facts = {} } = filter;
  const items = (Object.keys(frameworks) as (keyof typeof frameworks)[]).map((field) => {
    const value = facts[field];
    return {
      label: `$(${value === undefined ? 'blank' : 'check'}) ${frameworks[field]}`,
      ...(value !== undefined && { description: factWords(field, value) }),
      field,
    };
  });
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Filter Reports: Standards'),
    placeHolder: asExtracted,
  });
  return chosen && askForFact(from, filter, chosen.field);
}
