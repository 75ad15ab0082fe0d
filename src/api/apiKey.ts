import { l10n } from '../base/l10n.ts';
import { Secret } from '../base/secret.ts';

/** A key that may be used, or why it can't be: a sentence that holds nothing of the key. */
export type KeyCheck = { readonly ok: true; readonly key: Secret } | { readonly ok: false; readonly reason: string };

const longest = 512;

/** Checks a key that a person typed or pasted (AUTH-2). Blanks around it are dropped, anything odd inside is refused. */
export function checkApiKey(typed: string): KeyCheck {
  const text = typed.trim();
  const reason = refusal(text);
  return reason === null ? { ok: true, key: new Secret(text) } : { ok: false, reason };
}

function refusal(text: string): string | null {
  if (text === '') return l10n.t('Enter the API key.');
  if (/[\r\n]/.test(text)) return l10n.t('The key has a line break in it. Copy it again, in one piece.');
  if (/\s/.test(text)) return l10n.t('The key has a blank in it. Copy it again, in one piece.');
  if (!/^[\x21-\x7e]*$/.test(text))
    return l10n.t('The key has characters that no key has. Copy it again from where you got it.');
  if (text.length > longest) return l10n.t('The key is longer than {0} characters. Copy only the key itself.', longest);
  return null;
}
