/** Made-up place-like stems; with an ending they name no place or company we know of. */
// biome-ignore format: a list of words reads best filled
const stems = [
  'Aldo', 'Arvel', 'Balter', 'Bexen', 'Bramo', 'Brivel', 'Calvor', 'Corven', 'Crendal', 'Dalwen', 'Dervan', 'Drumel',
  'Elsten', 'Emberl', 'Fallom', 'Fenric', 'Fjorden', 'Galven', 'Garrow', 'Glastin', 'Grevel', 'Haldor', 'Harvow', 'Heddon',
  'Ilver', 'Iselm', 'Jarvel', 'Jostin', 'Kalder', 'Kestrin', 'Korvel', 'Lanter', 'Ledmor', 'Lorvik', 'Maldor', 'Marvol',
  'Merrol', 'Morvel', 'Nesten', 'Norvel', 'Oakrin', 'Orlan', 'Osmer', 'Pellan', 'Pentor', 'Quaren', 'Quillan', 'Radwen',
  'Ravel', 'Rostel', 'Sarven', 'Selmor', 'Silvan', 'Sorrel', 'Tamrin', 'Tarvel', 'Thistel', 'Torren', 'Ulver', 'Umbrel',
  'Valden', 'Varrow', 'Velmor', 'Wexel', 'Wildor', 'Worvel', 'Yarvow', 'Yelden', 'Zarven', 'Zelmor',
] as const;
// biome-ignore format: a list of words reads best filled
const endings = [
  'acre', 'bank', 'beck', 'bourne', 'bridge', 'by', 'combe', 'crest', 'dale', 'den', 'fell', 'field', 'ford', 'gate',
  'grove', 'ham', 'haven', 'hurst', 'ley', 'loch', 'mark', 'mere', 'moor', 'nes', 'oaks', 'quay', 'ridge', 'stead',
  'stow', 'thorpe', 'vale', 'wick', 'wold', 'worth',
] as const;

type Business = readonly [sector: string, industry: string, nace: string, naics: string];

const trades: readonly (readonly [word: string, ...Business])[] = [
  ['Foods', 'Food & Beverage', 'Packaged Foods', '10', '311'],
  ['Energy', 'Utilities', 'Electric Utilities', '35', '2211'],
  ['Water', 'Utilities', 'Water Utilities', '36', '22131'],
  ['Bank', 'Financials', 'Banks', '64', '522'],
  ['Insurance', 'Financials', 'Insurance', '65', '5241'],
  ['Steel', 'Materials', 'Steel', '24', '3311'],
  ['Chemicals', 'Materials', 'Chemicals', '20', '325'],
  ['Paper', 'Materials', 'Paper & Packaging', '17', '3221'],
  ['Mining', 'Materials', 'Diversified Mining', '07', '212'],
  ['Pharma', 'Health Care', 'Pharmaceuticals', '21', '3254'],
  ['Medical', 'Health Care', 'Medical Devices', '32', '3391'],
  ['Systems', 'Technology', 'Software', '62', '5132'],
  ['Semiconductors', 'Technology', 'Semiconductors', '26', '33441'],
  ['Telecom', 'Communication', 'Telecommunication Services', '61', '517'],
  ['Media', 'Communication', 'Media', '60', '516'],
  ['Retail', 'Consumer Services', 'Retail', '47', '455'],
  ['Hotels', 'Consumer Services', 'Hotels & Leisure', '55', '7211'],
  ['Apparel', 'Consumer Goods', 'Apparel', '14', '315'],
  ['Automotive', 'Consumer Goods', 'Automobile Components', '29', '3363'],
  ['Engineering', 'Industrials', 'Machinery', '28', '333'],
  ['Construction', 'Industrials', 'Construction', '41', '236'],
  ['Shipping', 'Transport', 'Marine Transport', '50', '4831'],
  ['Airlines', 'Transport', 'Airlines', '51', '4811'],
  ['Properties', 'Real Estate', 'Real Estate Management', '68', '531'],
];

const legalForms: Readonly<Record<string, string>> = {
  'United States': 'Inc.',
  Canada: 'Ltd.',
  'United Kingdom': 'plc',
  Germany: 'AG',
  France: 'SA',
  Netherlands: 'N.V.',
  Sweden: 'AB (publ)',
  Spain: 'S.A.',
  Italy: 'S.p.A.',
  Japan: 'Co., Ltd.',
  India: 'Limited',
  Australia: 'Limited',
  Brazil: 'S.A.',
  'South Korea': 'Co., Ltd.',
  'South Africa': 'Limited',
};

const combinations = stems.length * endings.length * trades.length;

/** A name that no other number below 57,120 gives with the same seed, with its trade. */
export function generatedName(
  index: number,
  seed: number,
  country: string,
): { readonly name: string; readonly alias: string; readonly business: Business } {
  // 7919 has no common factor with the number of combinations, so that the steps visit each of them once.
  const place = (index * 7919 + (Math.abs(Math.trunc(seed)) % combinations)) % combinations;
  const stem = stems[place % stems.length] ?? '';
  const ending = endings[Math.floor(place / stems.length) % endings.length] ?? '';
  const trade = trades[Math.floor(place / (stems.length * endings.length))];
  if (!trade) throw new RangeError(`There is no company number ${index}.`);
  const [word, ...business] = trade;
  const alias = `${stem}${ending} ${word}`;
  return { name: `${alias} ${legalForms[country] ?? 'Ltd.'}`, alias, business };
}
