import type { TriStateField } from '../../api/schemas/fields.ts';
import type { TriState } from '../../api/schemas/report.ts';
import type { GroupBy } from '../../library/reportQuery.ts';
import type { Mark } from '../../protocol/format/facts.ts';
import { visibleText } from '../../protocol/format/visibleText.ts';
import type { Narrowing, TableView } from '../../protocol/reportTable.ts';
import {
  describeFilter,
  facetNames,
  factNames,
  memberOf,
  type ReportsFilter,
  readFilter,
} from '../common/reportsFilter.ts';

const answers: Readonly<Record<Mark, TriState>> = { yes: true, no: false, undetermined: null };

/** The filter after one step; what the page may not ask for is dropped. */
export function narrowed(filter: ReportsFilter, step: Narrowing): ReportsFilter {
  switch (step.by) {
    case 'text':
      return readFilter({ ...filter, text: step.text.trim() });
    case 'value':
      return Object.hasOwn(facetNames, step.facet) ? withValue(filter, step.facet as GroupBy, step.value) : filter;
    case 'fact': {
      const answer = step.answer === null ? undefined : answers[step.answer];
      return step.field === 'downloaded' || step.field === 'favourite'
        ? readFilter({ ...filter, [step.field]: answer })
        : readFilter({ ...filter, facts: factsWith(filter, step.field, answer) });
    }
    case 'years':
      return readFilter({ ...withoutPart(filter, 'fcyear'), fcyear: step.years });
    case 'without':
      return withoutPart(filter, step.part);
    case 'everything':
      return {};
    default:
      return step satisfies never;
  }
}

/** A value more, or one less. */
function withValue(filter: ReportsFilter, facet: GroupBy, value: string | number | null): ReportsFilter {
  const member = memberOf(facet);
  const now: readonly (string | number | null)[] = filter[member] ?? [];
  const others = now.filter((each) => each !== value && !(facet === 'published' && overlaps(each, value)));
  return readFilter({ ...filter, [member]: now.includes(value) ? others : [...others, value] });
}

/** A year of publication holds its months: one of both is enough. */
function overlaps(a: string | number | null, b: string | number | null): boolean {
  return a !== null && b !== null && (String(a).startsWith(String(b)) || String(b).startsWith(String(a)));
}

function factsWith({ facts }: ReportsFilter, field: string, answer: TriState | undefined): ReportsFilter['facts'] {
  const others = Object.entries(facts ?? {}).filter(([each]) => each !== field);
  return Object.fromEntries(answer === undefined ? others : [...others, [field, answer]]);
}

/** The filter without a member, or without one of its facts; which split years are meant hangs on the years. */
export function withoutPart(filter: ReportsFilter, part: string): ReportsFilter {
  if (Object.hasOwn(factNames, part)) return readFilter({ ...filter, facts: factsWith(filter, part, undefined) });
  const dropped = part === 'fcyear' ? [part, 'splitYears'] : [part];
  return Object.fromEntries(Object.entries(filter).filter(([name]) => !dropped.includes(name)));
}

/** The parts of a filter, each of which can be taken away, in a person's words; the words it looks for stand in a box. */
export function chipsOf(filter: ReportsFilter): TableView['chips'] {
  const { text: _, splitYears, facts = {}, ...members } = filter;
  const parts: [string, ReportsFilter][] = Object.entries(members).map(([name, value]) => [
    name,
    { [name]: value, ...(name === 'fcyear' && splitYears && { splitYears }) },
  ]);
  for (const [field, answer] of Object.entries(facts)) parts.push([field, { facts: { [field]: answer } }]);
  return parts.map(([part, only]) => ({ part, words: visibleText(describeFilter(only)) }));
}

/** The answer that a filter asks of a fact; null when it asks for none. */
export function answerOf({ facts }: ReportsFilter, field: TriStateField): Mark | null {
  const value = facts?.[field];
  if (value === undefined) return null;
  return value === null ? 'undetermined' : value ? 'yes' : 'no';
}
