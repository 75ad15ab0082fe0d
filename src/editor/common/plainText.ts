import { plainText } from '../../base/words.ts';

/**
 * Text of the service for a notification. The editor turns `[text](command:…)` in notifications into live links, so
 * brackets are swapped for look-alikes that it does not parse.
 */
export function notificationText(text: string): string {
  return plainText(text).replaceAll('[', '［').replaceAll(']', '］');
}

/** Text of the service for a label that would show `$(name)` as an icon. */
export function labelText(text: string): string {
  return plainText(text).replaceAll('$(', '$\u200b(');
}

/** A name that a person typed, as it is stored and shown: one line of visible text. */
export function tidy(name: string): string {
  return labelText(plainText(name, 80));
}
