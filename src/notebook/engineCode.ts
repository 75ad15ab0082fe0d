import { textLiteral } from './code.ts';

/** Engines that read an export of the library by its manifest. */
export const engines = ['duckdb', 'polars', 'pandas', 'arrow', 'clickhouse', 'spark', 'r'] as const;
export type Engine = (typeof engines)[number];

/** Code for an engine: its usual name, its language, and whether tests run the code in the engine. */
interface EngineForm {
  readonly label: string;
  readonly language: 'python' | 'r';
  readonly isTested?: true;
}

export const engineForms: Readonly<Record<Engine, EngineForm>> = {
  duckdb: { label: 'DuckDB', language: 'python', isTested: true },
  polars: { label: 'polars', language: 'python' },
  pandas: { label: 'pandas', language: 'python' },
  arrow: { label: 'PyArrow', language: 'python' },
  clickhouse: { label: 'ClickHouse (chDB)', language: 'python', isTested: true },
  spark: { label: 'Spark', language: 'python' },
  r: { label: 'R (arrow)', language: 'r' },
};

/**
 * Code that reads an exported library with an engine and counts reports by year. It takes the files that the manifest
 * lists, so it is right while an export is renewed. `folder` is a path or the address of an object store.
 */
export function engineCode(engine: Engine, folder: string): string {
  return bodies[engine](textLiteral(folder.endsWith('/') ? folder.slice(0, -1) : folder));
}

/** The folder, and a table's files by the manifest. For an object store it needs fsspec and the store's package. */
const pythonFiles = (folder: string) => `import json

folder = ${folder}  # or an object store: "s3://bucket/reports"


def export_files(table="reports"):
    """The files of a table (reports, companies, changes, files, pages), as the manifest lists them."""
    if "://" in folder:
        import fsspec

        with fsspec.open(f"{folder}/_manifest.json", "r", encoding="utf-8") as file:
            manifest = json.load(file)
    else:
        with open(f"{folder}/_manifest.json", encoding="utf-8") as file:
            manifest = json.load(file)
    return [f"{folder}/{file['path']}" for file in manifest["tables"][table]["files"]]
`;

const arrowDataset = `import pyarrow.dataset as ds
from pyarrow import fs

if "://" in folder:
    system, root = fs.FileSystem.from_uri(folder)
else:
    system, root = fs.LocalFileSystem(), folder
paths = [root + file[len(folder):] for file in export_files("reports")]
partitions = ds.partitioning(flavor="hive")
dataset = ds.dataset(paths, filesystem=system, format="parquet", partitioning=partitions)
`;

const bodies: Readonly<Record<Engine, (folder: string) => string>> = {
  duckdb: (folder) => `import duckdb

folder = ${folder}  # or an object store: "s3://bucket/reports"
duckdb.execute("SET VARIABLE folder = $folder", {"folder": folder})
duckdb.execute("""
SET VARIABLE files = (
    SELECT list(getvariable('folder') || '/' || file.path) FROM (
        SELECT unnest(tables.reports.files) AS file FROM read_json(getvariable('folder') || '/_manifest.json')
    )
);
CREATE OR REPLACE VIEW reports AS SELECT * FROM read_parquet(getvariable('files'), hive_partitioning = true);
""")
duckdb.sql("""
SELECT fiscal_year, count(*) AS reports, count(*) FILTER (std_gri) AS gri
FROM reports GROUP BY fiscal_year ORDER BY fiscal_year;
""")
`,
  polars: (folder) => `${pythonFiles(folder)}

import polars as pl

reports = pl.scan_parquet(export_files("reports"), hive_partitioning=True)
counts = reports.group_by("fiscal_year").agg(pl.len().alias("reports"), pl.col("std_gri").sum().alias("gri"))
counts.sort("fiscal_year").collect()
`,
  pandas: (folder) => `${pythonFiles(folder)}

${arrowDataset}reports = dataset.to_table().to_pandas()
reports.groupby("fiscal_year", dropna=False).size()
`,
  arrow: (folder) => `${pythonFiles(folder)}

${arrowDataset}reports = dataset.to_table(columns=["fiscal_year", "std_gri"])
reports.group_by("fiscal_year").aggregate([("std_gri", "count")])
`,
  clickhouse: (folder) => `${pythonFiles(folder)}

import chdb

# For an object store: s3(…) or gcs(…) instead of file(…).
paths = ",".join(path[len(folder) + 1:] for path in export_files("reports"))
source = f"{folder}/{{{paths}}}".replace("\\\\", "\\\\\\\\").replace("'", "\\\\'")
print(chdb.query(f"""
SELECT toInt32OrNull(toString(fiscal_year)) AS year, count() AS reports, countIf(std_gri) AS gri
FROM file('{source}', Parquet) GROUP BY year ORDER BY year
SETTINGS use_hive_partitioning = 1
""", "PrettyCompact"))
`,
  spark: (folder) => `${pythonFiles(folder)}

from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
reports = spark.read.option("basePath", f"{folder}/reports").parquet(*export_files("reports"))
reports.groupBy("fiscal_year").count().orderBy("fiscal_year").show()
`,
  r: (folder) => `library(arrow)
library(dplyr)

folder <- ${folder}  # a local folder; for an object store see arrow::s3_bucket
manifest <- jsonlite::read_json(file.path(folder, "_manifest.json"))
paths <- vapply(manifest$tables$reports$files, function(file) file$path, "")
# From a list of files arrow takes no fiscal year, so each year's files get theirs here; undated ones get NA.
years <- split(file.path(folder, paths), sub("^reports/fiscal_year=([^/]*)/.*", "\\\\1", paths))
of_year <- function(name) {
  filed <- suppressWarnings(as.integer(name))
  open_dataset(years[[name]]) |> mutate(fiscal_year = !!filed)
}
reports <- lapply(names(years), of_year) |> Reduce(f = union_all)
reports |> count(fiscal_year) |> arrange(fiscal_year) |> collect()
`,
};
