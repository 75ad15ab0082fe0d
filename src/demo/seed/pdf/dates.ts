const months: Readonly<Record<string, string>> = {
  en: 'January February March April May June July August September October November December',
  de: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  es: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  pt: 'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
  it: 'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  nl: 'januari februari maart april mei juni juli augustus september oktober november december',
  sv: 'januari februari mars april maj juni juli augusti september oktober november december',
};
const patterns: Readonly<Record<string, string>> = { de: 'd. m y', es: 'd de m de y', pt: 'd de m de y' };

const firstDays: Readonly<Record<string, string>> = { fr: '1er', it: '1°' };

/** Writes YYYY-MM-DD out in a language, by own tables: the engine's may change from one release to the next. */
export function writtenDate(iso: string, language: string): string {
  const [year = '', month = '1', day = '1'] = iso.split('-');
  const names = (months[language] ?? months.en ?? '').split(' ');
  const first = Number(day) === 1 ? firstDays[language] : undefined;
  const values: Record<string, string> = {
    d: first ?? String(Number(day)),
    m: names[Number(month) - 1] ?? month,
    y: year,
  };
  return (patterns[language] ?? 'd m y').replace(/\b[dmy]\b/g, (part) => values[part] ?? part);
}
