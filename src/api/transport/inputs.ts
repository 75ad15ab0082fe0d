import { l10n } from '../../base/l10n.ts';
import { countText } from '../../base/words.ts';
import { badRequest } from './errors.ts';

/** The first `size` items, the next `size`, and so on. */
export function* batches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

/** Requests answers in batches of at most `size`, equal items once. Answers come in the order of `items`. */
export async function inBatches<T, R>(
  items: readonly T[],
  size: number,
  identity: (item: T) => string,
  ask: (batch: readonly T[]) => Promise<readonly R[]>,
): Promise<readonly R[]> {
  const answers = new Map<string, R>();
  const distinct = new Map(items.map((item) => [identity(item), item]));
  for (const batch of batches([...distinct], size)) {
    const answered = await ask(batch.map(([, item]) => item));
    for (const [index, [name]] of batch.entries()) answers.set(name, answered[index] as R);
  }
  return items.map((item) => answers.get(identity(item)) as R);
}

const longest = 1000;
const unfit = /[\p{Cc}\p{Cs}]/u;

/** Checks texts before they are sent. Throws `invalid` with one entry per refused text, by its position from 1. */
export function checkInputs(values: readonly string[]): void {
  const fields = values.flatMap((value, index) => {
    const message = refusal(value);
    return message === null ? [] : [{ field: l10n.t('Entry {0}', index + 1), message }];
  });
  const first = fields[0];
  if (!first) return;
  const count = l10n.t("Entries that can't be sent: {0}.", countText(fields.length));
  throw badRequest(
    `${count} ${first.field} ${first.message}.`,
    l10n.t('Correct or remove the refused entries, then try again.'),
    fields,
  );
}

function refusal(value: string): string | null {
  if (value.trim() === '') return l10n.t('is empty');
  if (value.length > longest) return l10n.t('is longer than {0} characters', longest);
  return unfit.test(value) ? l10n.t('contains invalid characters') : null;
}
