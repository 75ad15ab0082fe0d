interface OptionSpec {
  /** What stands for its value in the help; a switch has none. */
  readonly value?: string;
  /** May be given several times. */
  readonly multiple?: true;
  readonly help: string;
}

type Given<Name extends string, T> = { readonly [N in Name]?: T | undefined };

/** Values of options as they were given: of switches, of those with a value, and of those that may be repeated. */
export type CommandValues = Given<
  'json' | 'demo' | 'key-stdin' | 'frozen' | 'full' | 'dry-run' | 'ignore-pause',
  boolean
> &
  Given<'folder' | 'key-file' | 'company' | 'isin' | 'language' | 'path' | 'limit' | 'column', string> &
  Given<'output' | 'format' | 'partition', string> &
  Given<'type' | 'year' | 'framework', readonly string[]>;

/** A command: how it is called, and what its help says. */
export interface CommandSpec {
  readonly name: string;
  /** What comes after the name, for the help. */
  readonly usage: string;
  readonly summary: string;
  /** Fewest and most names after the command. */
  readonly takes: readonly [min: number, max: number];
  readonly options: Readonly<Record<string, OptionSpec>>;
  readonly examples: readonly string[];
}

const json = { json: { help: 'print one JSON document instead of lines' } };
const folder = { folder: { value: 'FOLDER', help: 'the downloads folder (default: reports)' } };
const local = { ...folder, ...json };
const key = {
  'key-stdin': { help: 'read the API key from standard input' },
  'key-file': { value: 'FILE', help: 'read base URL and API key from a file that only you may read (mode 0600)' },
};
const account = {
  ...key,
  demo: { help: 'use the demo library, which needs no key' },
};
const online = {
  ...account,
  'ignore-pause': { help: 'end a wait above 24 hours that the service asked for' },
};
const connected = { ...online, ...local };
const filter = {
  company: { value: 'KEY', help: 'reports of a company' },
  type: { value: 'CODE', multiple: true, help: 'report type, such as SR' },
  year: { value: 'YEAR', multiple: true, help: 'fiscal year' },
  isin: { value: 'ISIN', help: 'reports of the company with this ISIN' },
  language: { value: 'CODE', help: 'ISO 639-1 language' },
  framework: { value: 'NAME', multiple: true, help: 'reports that apply a framework, such as gri' },
} as const;
const many = Number.POSITIVE_INFINITY;

/** Every command, in the order of the help. */
export const commands: readonly CommandSpec[] = [
  {
    ...{ name: 'restore', usage: '', takes: [0, 0] },
    summary: 'Bring back exactly the PDFs that reports.lock.json names',
    options: { frozen: { help: 'leave reports.lock.json and reports.csv as they are' }, ...connected },
    examples: ['report-library restore --frozen', 'report-library restore --folder data/reports --json'],
  },
  {
    ...{ name: 'verify', usage: '', takes: [0, 0] },
    summary: 'Read every PDF and compare its SHA-256; no network, no key',
    options: { ...account, ...local },
    examples: ['report-library verify', 'report-library verify --json'],
  },
  {
    ...{ name: 'status', usage: '', takes: [0, 0] },
    summary: 'Say which PDFs of the lock are here, without reading them',
    options: { demo: account.demo, ...local },
    examples: ['report-library status'],
  },
  {
    ...{ name: 'update', usage: '', takes: [0, 0] },
    summary: 'Fetch the PDFs that the service has published anew',
    options: { 'dry-run': { help: 'only say what would be fetched; ends with 1 if there is something' }, ...connected },
    examples: ['report-library update --dry-run', 'report-library update'],
  },
  {
    ...{ name: 'download', usage: '[KEY or ID …]', takes: [0, many] },
    summary: 'Download PDFs by report key or id, or by a filter',
    options: {
      ...filter,
      path: { value: 'TEMPLATE', help: 'path of new files (default: {company_key}/{fiscal_year}/{report_key}.pdf)' },
      'dry-run': { help: 'only say what it would cost' },
      ...connected,
    },
    examples: [
      'report-library download XPAR_ABCD_2024_SR',
      'report-library download --company XPAR_ABCD --year 2024 --dry-run',
    ],
  },
  {
    ...{ name: 'sync', usage: '', takes: [0, 0] },
    summary: 'Load or update the library on this computer',
    options: { full: { help: 'check every report, to find removed ones' }, ...online, ...json },
    examples: ['report-library sync'],
  },
  {
    ...{ name: 'find', usage: 'WORDS …', takes: [1, many] },
    summary: 'Find reports in the library on this computer',
    options: { limit: { value: 'N', help: 'at most so many (default: 20)' }, ...account, ...json },
    examples: ['report-library find alba mining 2024', 'report-library find XPAR_ABCD_2024_SR --json'],
  },
  {
    ...{ name: 'search', usage: 'WORDS …', takes: [1, many] },
    summary: 'Search the pages of the PDFs in the folder; no network, no key',
    options: { limit: { value: 'N', help: 'at most so many pages (default: 20)' }, demo: account.demo, ...local },
    examples: ['report-library search "scope 3" NEAR emissions', 'report-library search biodiversity --json'],
  },
  {
    ...{ name: 'resolve', usage: 'FILE.csv', takes: [1, 1] },
    summary: 'Add the companies that a column of identifiers names to a CSV file',
    options: {
      column: { value: 'NAME', help: 'the column with ISIN, LEI, FIGI, ticker or name (default: the likeliest)' },
      output: { value: 'FILE', help: 'write here instead of standard output' },
      ...online,
      ...json,
    },
    examples: ['report-library resolve portfolio.csv --column isin --output companies.csv'],
  },
  {
    ...{ name: 'export', usage: '', takes: [0, 0] },
    summary: 'Write the metadata of the library on this computer as a table',
    options: {
      format: { value: 'FORM', help: 'csv, spreadsheet, jsonl or parquet (default: csv)' },
      output: { value: 'FILE', help: 'where to (default: report-metadata.csv, and so on)' },
      partition: { value: 'fiscal_year', help: 'with parquet: files by fiscal year in the folder that --output names' },
      ...{ company: filter.company, type: filter.type, year: filter.year, language: filter.language },
      ...account,
      ...local,
    },
    examples: ['report-library export --format parquet --output reports.parquet', 'report-library export --year 2024'],
  },
  {
    ...{ name: 'check-evidence', usage: '', takes: [0, 0] },
    summary: 'Check the quotes and tables of reports.evidence.json against the PDFs; no network, no key',
    options: { demo: account.demo, ...local },
    examples: ['report-library check-evidence'],
  },
  {
    ...{ name: 'mcp', usage: '', takes: [0, 0] },
    summary: 'Answer assistants from the library on this computer, over standard input and output (MCP)',
    options: { 'key-file': key['key-file'], demo: account.demo, ...folder },
    examples: ['report-library mcp --key-file ~/.report-library-key'],
  },
  {
    ...{ name: 'doctor', usage: '', takes: [0, 0] },
    summary: 'Check Node, settings, key, service and folders, and say what to do',
    options: connected,
    examples: ['report-library doctor'],
  },
];

const exitCodes = `Exit codes:
  0    all the same, or done
  1    something differs, is missing, or could not be written
  2    the command line, the settings or the lock can't be used
  3    the service or the network failed
  4    the API key was refused, or the license doesn't include it
  130  interrupted; run it again to go on
`;

const environment = `Environment:
  REPORT_LIBRARY_BASE_URL   base URL of the service, which ends with /api/v2
  REPORT_LIBRARY_API_KEY    API key; never given as an argument
  REPORT_LIBRARY_AUTHENTICATION
                            bearer (default) or x-api-key: the header that carries the key
  REPORT_LIBRARY_REQUESTS_PER_SECOND
                            most requests in a second, 1 to 9 (default: 8)
  REPORT_LIBRARY_SHARED_STORE
                            absolute path of a folder your team shares for PDFs; used for reports that
                            report-library sync has found in your license
`;

export function help(): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2;
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`);
  return `Company reports of your Report Library license, on the command line.

  report-library COMMAND [options]

${lines.join('\n')}

report-library COMMAND --help says more, with examples.

${environment}
${exitCodes}`;
}

export function helpOf({ name, usage, summary, options, examples }: CommandSpec): string {
  const named = Object.entries(options).map(([option, { value }]) => `--${option}${value ? ` ${value}` : ''}`);
  const width = Math.max(...named.map(({ length }) => length)) + 2;
  const lines = Object.values(options).map(({ help, multiple }, index) => {
    return `  ${(named[index] ?? '').padEnd(width)}${help}${multiple ? ' (may be repeated)' : ''}`;
  });
  return `${summary}.

  report-library ${name}${usage ? ` ${usage}` : ''}${lines.length > 0 ? ` [options]\n\n${lines.join('\n')}` : ''}

Examples:
${examples.map((example) => `  ${example}`).join('\n')}

${exitCodes}`;
}
