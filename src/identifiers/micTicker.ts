import { l10n } from '../base/l10n.ts';
import type { Check } from './check.ts';
import { cleanText } from './check.ts';

/** Checks a ticker with its market, `MIC:TICKER`: a MIC of four letters or digits and a ticker of up to 20 characters. */
export function checkMicTicker(text: string): Check {
  const value = cleanText(text)
    .replace(/\s*:\s*/u, ':')
    .toUpperCase();
  const at = value.indexOf(':');
  if (at < 0) return { valid: false, reason: l10n.t('Write the market before the ticker, as in XPAR:ABCD.') };
  if (!/^[A-Z0-9]{4}$/.test(value.slice(0, at))) {
    return { valid: false, reason: 'A market code (MIC) has four letters or digits.' };
  }
  if (!/^[A-Z0-9][A-Z0-9 .&/*+-]{0,19}$/.test(value.slice(at + 1))) {
    return { valid: false, reason: 'A ticker has up to 20 letters, digits and signs, and no further colon.' };
  }
  return { valid: true, value };
}

/** Market and ticker of a checked `MIC:TICKER`. */
export function splitMicTicker(value: string): { readonly mic: string; readonly ticker: string } {
  const at = value.indexOf(':');
  return { mic: value.slice(0, at), ticker: value.slice(at + 1) };
}
