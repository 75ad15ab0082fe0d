import { textLiteral } from './code.ts';

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
reports.groupBy("fiscal_year").count().orderBy("fiscal_year").show()
`,
};
