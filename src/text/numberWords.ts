/** Languages of reports whose words for scales and percent CLDR has. */
const languages = 'en de fr es it nl sv da nb fi pt pl ja zh ko hi'.split(' ');
/** Numbers for each scale, East Asian and Indian ones too, and each plural form. */
const samples = [1e3, 2e3, 5e3, 1e4, 1e5, 1e6, 1.5e6, 2e6, 5e6, 1e7, 1e8, 1e9, 2e9, 5e9, 1e11, 1e12, 2e12, 5e12];

/** What CLDR lacks: abbreviations in reports, single characters of East Asia, and other words for percent. */
const listed =
  'hundred hundert milliers tsd mio mrd mrds mds mia mlrd mld mln mn bn m k tr lakh lac crore cr 十 百 千 万 萬 億 亿 兆 십 백 천 만 억 조|per cent|per cento|percent|percentage|pourcent|points de pourcentage|point de pourcentage|pct|pp|bps|v.h|百分点|ポイント|퍼센트|프로';
/** A scale written together with a currency, as `TEUR`, `Md€` and `mia.kr`. */
const scaledCurrency = /^(?:[ktm]|m[dn]|mds|mrd|mio|mia|bn)\.?(?:eur|usd|gbp|chf|sek|nok|dkk|pln|inr|jpy|kr|\p{Sc})/iu;
/** In Danish a thousand, but a tonne in most reports. */
const tonne = 't';
/** Words from this length on may have another ending, as `miljoonan` and `Prozentpunkte`. */
const longWord = 5;
const [longestCjk, mostWords] = [6, 3];

function allWords(): Set<string> {
  const formats = languages.flatMap((language) => [
    new Intl.NumberFormat(language, { notation: 'compact', compactDisplay: 'long' }),
    new Intl.NumberFormat(language, { notation: 'compact', compactDisplay: 'short' }),
  ]);
  const scales = formats.flatMap((format) => samples.flatMap((sample) => format.formatToParts(sample)));
  const percents = languages.flatMap((language) =>
    new Intl.NumberFormat(language, { style: 'unit', unit: 'percent', unitDisplay: 'long' }).formatToParts(5),
  );
  const parts = [...scales, ...percents].filter(({ type }) => type === 'compact' || type === 'unit');
  const words = [
    ...parts.map(({ value }) => value),
    ...listed.split('|').slice(1),
    ...(listed.split('|')[0] ?? '').split(' '),
  ];
  const plain = words.map((word) => word.normalize('NFKC').toLowerCase().replace(/\.$/, '').replace(/\s+/g, ' '));
  return new Set(plain.filter((word) => word !== tonne && /[\p{L}\p{M}]/u.test(word)));
}

let words: Set<string> | undefined;

/** The word at a text's beginning that scales the number before it or makes it a percentage; empty if there is none. */
export function numberWord(text: string): string {
  if (!/^[\p{L}\p{M}]/u.test(text)) return '';
  words ??= allWords();
  const known = words;
  if (/^[\p{scx=Han}\p{scx=Kana}\p{scx=Hang}]/u.test(text)) {
    for (let length = longestCjk; length > 0; length -= 1)
      if (known.has(text.slice(0, length))) return text.slice(0, length);
    return '';
  }
  const [first = '', ...others] = text.match(/[\p{L}\p{M}\p{Sc}]+(?:\.\p{L}+)*/gu)?.slice(0, mostWords) ?? [];
  let [phrase, found] = [first, ''];
  if (scaledCurrency.test(first) || known.has(first.toLowerCase())) found = first;
  else if (known.has(first.split('.')[0]?.toLowerCase() ?? '')) found = first;
  for (let length = longWord; length < first.length && found === ''; length += 1)
    if (known.has(first.slice(0, length).toLowerCase())) found = first;
  for (const other of others) {
    phrase += ` ${other}`;
    if (text.startsWith(phrase) && known.has(phrase.toLowerCase())) found = phrase;
  }
  return found;
}
