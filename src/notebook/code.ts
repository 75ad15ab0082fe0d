import { type CodeLanguage, helperMarks, helpers } from './helpers.ts';

/** The language of a cell or file that we can write; undefined for any other. */
export function codeLanguage(languageId: string): CodeLanguage | undefined {
  const id = languageId.toLowerCase();
  return id === 'python' || id === 'r' ? id : undefined;
}

export interface LoadedReports {
  readonly reports: readonly { readonly report_id: number; readonly report_key: string }[];
  /** The downloads folder relative to the workspace folder, or an absolute one; parts separated by `/`. */
  readonly folder: string;
  /** True in a notebook, where the last expression of a cell is shown. */
  readonly shown: boolean;
  readonly existing: string;
}

/** Code that loads downloaded reports. `helper` is null if the document has it; `table` for one report. */
export function loadingCode(language: CodeLanguage, { reports, folder, shown, existing }: LoadedReports) {
  const form = forms[language];
  const literal = textLiteral(folder);
  const helper = helpers[language].replace('FOLDER', () => literal);
  const has = hasHelper(existing, language);
  // A helper that is there may be for another folder.
  const signature = helper.split('\n').find((line) => line.includes(`${literal})`)) ?? '';
  const isUsual = !has || existing.includes(signature);
  const options = { folder: isUsual ? '' : form.folder(literal), shown };
  const keys = reports.map(({ report_key }) => report_key);
  const names = reports.map(({ report_id, report_key: key }) => {
    const isName = plainKey.test(key) && keys.indexOf(key) === keys.lastIndexOf(key);
    return isName ? textLiteral(key) : String(report_id);
  });
  const [only = ''] = names;
  return {
    helper: has ? null : helper,
    code: names.length === 1 ? form.one(only, options) : form.many(names, options),
    table: names.length === 1 ? null : form.table(existing),
  };
}

/** Whether code has our helper of this version. */
export function hasHelper(code: string, language: CodeLanguage): boolean {
  return code.includes(helperMarks[language]);
}

/** A key that any of the languages finds in a line of the lock file as it is. */
const plainKey = /^[^"\\\p{C}\p{Z}]+$/u;

/** Characters that show as what they are: letters, marks, numbers, punctuation, symbols and the plain space. */
const visible = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** Any text as a string literal. Invisible characters are escaped, half ones become U+FFFD, NUL is left out. */
export function textLiteral(text: string): string {
  return `"${[...text.toWellFormed()].map(escaped).join('')}"`;
}

function escaped(character: string): string {
  if (character === '\0') return '';
  if (character === '"' || character === '\\') return `\\${character}`;
  if (visible.test(character)) return character;
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}

interface FormOptions {
  /** The argument that names the folder, with its comma; empty for the helper's own. */
  readonly folder: string;
  readonly shown: boolean;
}

/** How a language loads reports with its helper, and shows where they are. */
interface CodeForm {
  folder(literal: string): string;
  one(name: string, options: FormOptions): string;
  many(names: readonly string[], options: FormOptions): string;
  table(existing: string): string;
}

const listed = (names: readonly string[], blanks: string) => names.map((name) => `${blanks}${name}`).join(',\n');
const print = (what: string, { shown }: FormOptions) => (shown ? what : `print(${what})`);

const forms: Readonly<Record<CodeLanguage, CodeForm>> = {
  python: {
    folder: (literal) => `, folder=${literal}`,
    one: (name, options) => `report = load_report(${name}${options.folder})\n${print('report.path', options)}\n`,
    many: (names, options) =>
      `loaded = [load_report(report${options.folder}) for report in [\n${listed(names, '    ')},\n]]\n${print('[report.path for report in loaded]', options)}\n`,
    table: pythonTable,
  },
  r: {
    folder: (literal) => `, folder = ${literal}`,
    one: (name, options) => `report <- load_report(${name}${options.folder})\n${print('report$path', options)}\n`,
    many: (names, options) =>
      `loaded <- lapply(list(\n${listed(names, '  ')}\n), load_report${options.folder})\n${print('sapply(loaded, function(report) report$path)', options)}\n`,
    table: () =>
      'reports <- typed(read.csv(loaded[[1]]$table, colClasses = "character", check.names = FALSE, na.strings = "", encoding = "UTF-8"))\n',
  },
};

/** `reports.csv` as a table of pandas, if that is installed. */
function pythonTable(existing: string): string {
  // Blanks of a line alone: with line breaks among them, each of many empty lines would be searched to the last.
  if (/^[ \t]*(?:import|from)[ \t]+pandas\b/m.test(existing)) return `import pandas as pd\n\n${pandasTable}`;
  return `try:
    import pandas as pd
except ModuleNotFoundError:
    print("Install pandas to read reports.csv as a table.")
else:
${pandasTable.replace(/^(?=.)/gm, '    ')}`;
}

const pandasTable = `reports = pd.read_csv(loaded[0].table, dtype="string", keep_default_na=False, na_values=[""])
for name in report_columns["integers"]:
    reports[name] = pd.to_numeric(reports[name], errors="coerce").astype("Int64")
for name in report_columns["floats"]:
    reports[name] = pd.to_numeric(reports[name], errors="coerce").astype("Float64")
for name in report_columns["days"]:
    reports[name] = pd.to_datetime(reports[name], format="%Y-%m-%d", errors="coerce")
for name in report_columns["facts"]:
    reports[name] = reports[name].map({"TRUE": True, "FALSE": False}).astype("boolean")
`;

/** Engines that read a folder of Parquet files by fiscal year, by their usual names. */
export const engines = { duckdb: 'DuckDB', pandas: 'pandas', spark: 'Spark' } as const;
export type Engine = keyof typeof engines;

/** Python that reads such a folder with an engine and counts reports by year. */
export function engineCode(engine: Engine, folder: string): string {
  return `${imports[engine]}\nfolder = ${textLiteral(folder)}\n${bodies[engine]}`;
}

const imports: Readonly<Record<Engine, string>> = {
  duckdb: 'import duckdb\n',
  pandas: 'import pandas as pd\nimport pyarrow as pa\nimport pyarrow.dataset as ds\n',
  spark: 'from pyspark.sql import SparkSession\n',
};

const bodies: Readonly<Record<Engine, string>> = {
  duckdb: `duckdb.execute("SET VARIABLE files = $files", {"files": f"{folder}/reports/*/*.parquet"})
duckdb.execute("""
CREATE OR REPLACE VIEW reports AS FROM read_parquet(getvariable('files'), hive_partitioning = true);
""")
duckdb.sql("""
SELECT fiscal_year, count(*) AS reports, count(*) FILTER (std_gri) AS gri
FROM reports GROUP BY fiscal_year ORDER BY fiscal_year;
""")
`,
  pandas: `# The files have the label of the fiscal year under the same name, so the year is read as text first.
years = ds.partitioning(pa.schema([("fiscal_year", pa.string())]), flavor="hive")
reports = pd.read_parquet(f"{folder}/reports", partitioning=years)
reports["fiscal_year"] = pd.to_numeric(reports["fiscal_year"]).astype("Int64")
reports.groupby("fiscal_year", dropna=False).size()
`,
  spark: `spark = SparkSession.builder.getOrCreate()
reports = spark.read.parquet(f"{folder}/reports")
# The files have the label of the fiscal year under the same name.
reports = reports.withColumn("fiscal_year", reports["fiscal_year"].cast("int"))
reports.groupBy("fiscal_year").count().orderBy("fiscal_year").show()
`,
};
