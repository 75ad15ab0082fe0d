import { type ColumnType, columns } from '../api/schemas/fields.ts';

/** Languages whose cells we can write. */
export type CodeLanguage = 'python' | 'r';

/** The first line of a helper begins so; a document that has it needs no second one. */
export const helperMarks: Readonly<Record<CodeLanguage, string>> = {
  python: '# Report Library helper for Python, version 3.',
  r: '# Report Library helper for R, version 3.',
};

/** The columns of `reports.csv` that are of one of these types, as literals, a few in a line. */
function columnList(blanks: string, ...types: ColumnType[]): string {
  const names = columns.filter(({ type }) => types.includes(type)).map(({ name }) => `"${name}"`);
  const lines = names.flatMap((_, index) => (index % 5 === 0 ? [names.slice(index, index + 5).join(', ')] : []));
  return lines.join(`,\n${blanks}`);
}

const numbers = columnList('', 'integer', 'float');
const days = columnList('', 'date');
const facts = columnList('    ', 'boolean');

/** Python that loads downloaded reports with the standard library alone. */
const python = `${helperMarks.python} Needs nothing else; runs at or below the folder that holds the PDFs.
import csv, hashlib, json, re, sys
from datetime import date
from pathlib import Path
from types import SimpleNamespace

# The columns of reports.csv that are no texts.
report_columns = {
    "integers": ["report_id", ${columnList('', 'integer')}],
    "floats": [${columnList('', 'float')}],
    "days": [${days}],
    "facts": [
    ${facts}],
}


def load_report(report, folder=FOLDER):
    """A downloaded report, by its key or id, once its SHA-256 agrees with reports.lock.json.

    It has path, metadata (texts, as in reports.csv), table (the path of reports.csv) and, if pandas is imported,
    frame: one row of typed values.
    """
    name = "report_id" if isinstance(report, int) else "report_key"
    for parent in [Path.cwd(), *Path.cwd().parents]:
        lock = parent / folder / "reports.lock.json"
        rows = json.loads(lock.read_text(encoding="utf-8-sig"))["reports"] if lock.is_file() else []
        rows = [row for row in rows if row[name] == report]
        if rows:
            break
    else:
        where = f"{folder}/reports.lock.json at or above {Path.cwd()}"
        raise FileNotFoundError(f"No {where} names report {report}. Download it first.")
    if len(rows) > 1:
        raise ValueError(f"Several reports have the key {report}. Use an id: {[row['report_id'] for row in rows]}")
    row, table = rows[0], lock.parent / "reports.csv"
    parts = row["path"].replace("\\\\", "/").split("/")
    if parts[0] == "" or ":" in parts[0] or ".." in parts:
        raise ValueError(f"{lock} names a file outside its folder: {row['path']}")
    path = lock.parent / row["path"]
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing. Run: Report Library: Restore PDFs from Lock File.")
    digest = hashlib.sha256()
    with path.open("rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    if digest.hexdigest() != row["sha256"]:
        raise ValueError(f"{path} is not the PDF that was downloaded: its SHA-256 differs from {lock}.")

    types = {
        **dict.fromkeys(report_columns["integers"], int),
        **dict.fromkeys(report_columns["floats"], float),
        **dict.fromkeys(report_columns["days"], date.fromisoformat),
        **dict.fromkeys(report_columns["facts"], {"TRUE": True, "FALSE": False}.__getitem__),
    }

    def typed(name, text):
        try:
            return types.get(name, str)(text) if text else None
        except (KeyError, ValueError):
            return None

    metadata = {}
    if table.is_file():
        with table.open(encoding="utf-8-sig", newline="") as file:
            for line in csv.DictReader(file):
                if line.get("report_id") == str(row["report_id"]):
                    metadata = {name: re.sub(r"GUARD", "", value or "") for name, value in line.items() if name}
    if metadata and (metadata["report_key"] != row["report_key"] or metadata["sha256"].lower() not in ("", row["sha256"])):
        raise ValueError(f"{table} and {lock} disagree about report {report}. Download it again.")
    pandas = sys.modules.get("pandas")
    frame = pandas.DataFrame([{name: typed(name, metadata[name]) for name in metadata}]) if pandas and metadata else None
    return SimpleNamespace(path=path, metadata=metadata, frame=frame, table=table)
`.replace('GUARD', "^'(?=\\s*(?:[=@\\uFF1D\\uFF20]|[+\\-\\uFF0B\\uFF0D](?![0-9.,]*\\Z))|[\\t\\r\\n])");

/** The same for R, whose PCRE takes wide characters in a pattern only when they are written out. */
const guardInR = "^'(?=\\\\s*(?:[=@\\uFF1D\\uFF20]|[+\\\\-\\uFF0B\\uFF0D](?![0-9.,]*$))|[\\\\t\\\\r\\\\n])";

/** R that loads downloaded reports with base R; the hash needs R 4.5, digest or openssl, and a warning says so. */
const r = `${helperMarks.r} Needs nothing else; runs at or below the folder that holds the PDFs.
typed <- function(frame) {
  change <- function(names, as) {
    names <- intersect(names, colnames(frame))
    frame[names] <<- lapply(frame[names], as)
  }
  change(c("report_id", ${numbers}), function(value) suppressWarnings(as.numeric(value)))
  change(c(${days}), function(value) as.Date(value, format = "%Y-%m-%d"))
  change(c(${facts}), as.logical)
  frame
}

load_report <- function(report, folder = FOLDER) {
  name <- if (is.numeric(report)) sprintf("%.0f", report) else report
  text <- '"((?:[^"\\\\\\\\]|\\\\\\\\.)*)"'
  # A report a line, which begins as Report Library writes it.
  form <- paste0(
    '^ *[{]"report_id": ?([0-9]+), ?"report_key": ?', text, ', ?"company_key": ?', text,
    ', ?"path": ?', text, ', ?"sha256": ?"([0-9a-f]{64})"'
  )
  parent <- normalizePath(getwd(), winslash = "/")
  repeat {
    home <- if (grepl("^(/|[A-Za-z]:)", folder)) folder else file.path(parent, folder)
    lock <- file.path(home, "reports.lock.json")
    lines <- if (file.exists(lock)) readLines(lock, encoding = "UTF-8", warn = FALSE) else character()
    rows <- regmatches(lines, regexec(form, lines, perl = TRUE))
    rows <- Filter(function(row) length(row) == 6 && name == row[if (is.numeric(report)) 2 else 3], rows)
    if (length(rows) > 0) break
    if (dirname(parent) == parent) {
      stop("No ", folder, "/reports.lock.json at or above ", getwd(), " names report ", name, ". Download it first.")
    }
    parent <- dirname(parent)
  }
  if (length(rows) > 1) stop("Several reports have the key ", name, ". Use the id of one of them.")
  row <- list(id = rows[[1]][2], key = rows[[1]][3], path = rows[[1]][5], sha256 = rows[[1]][6])
  rest <- substring(lines[startsWith(lines, rows[[1]][1])], nchar(rows[[1]][1]) + 1)
  if (length(rest) != 1 || grepl('"(report_id|report_key|path|sha256)" *:', rest)) {
    stop(lock, " was changed in a way that R can't read. Download report ", name, " again.")
  }
  parts <- strsplit(chartr("\\\\", "/", row$path), "/", fixed = TRUE)[[1]]
  if (parts[1] == "" || grepl(":", parts[1], fixed = TRUE) || ".." %in% parts) {
    stop(lock, " names a file outside its folder: ", row$path)
  }
  path <- file.path(home, row$path)
  if (!file.exists(path)) stop(path, " is missing. Run: Report Library: Restore PDFs from Lock File.")
  sha256 <- if (exists("sha256sum", envir = asNamespace("tools"), inherits = FALSE)) {
    unname(getExportedValue("tools", "sha256sum")(path))
  } else if (requireNamespace("digest", quietly = TRUE)) {
    digest::digest(file = path, algo = "sha256")
  } else if (requireNamespace("openssl", quietly = TRUE)) {
    as.character(openssl::sha256(file(path)))
  }
  if (is.null(sha256)) {
    warning("The SHA-256 of ", path, " was not checked: that needs R 4.5, or the package digest or openssl.")
  } else if (sha256 != row$sha256) {
    stop(path, " is not the PDF that was downloaded: its SHA-256 differs from ", lock, ".")
  }
  frame <- NULL
  table <- file.path(home, "reports.csv")
  if (file.exists(table)) {
    all <- read.csv(table, colClasses = "character", check.names = FALSE, na.strings = character(), encoding = "UTF-8")
    frame <- all[all$report_id == row$id, , drop = FALSE]
    frame[] <- lapply(frame, function(value) sub("${guardInR}", "", value, perl = TRUE))
    # A key with escapes is another text in the table.
    keys <- if (grepl("\\\\", row$key, fixed = TRUE)) row$key else frame$report_key
    if (any(keys != row$key, !tolower(frame$sha256) %in% c("", row$sha256))) {
      stop(table, " and ", lock, " disagree about report ", name, ". Download it again.")
    }
  }
  list(path = path, metadata = as.list(frame), frame = if (!is.null(frame)) typed(frame), table = table)
}
`;

/** What each language needs once in a document; `FOLDER` stands for the downloads folder, as a literal. */
export const helpers: Readonly<Record<CodeLanguage, string>> = { python, r };
