import { plainText } from '../base/words.ts';

/** Languages whose cells we can write. */
export type CodeLanguage = 'python' | 'r' | 'julia';

/** The language of a cell or file that we can write; undefined for any other. */
export function codeLanguage(languageId: string): CodeLanguage | undefined {
  const id = languageId.toLowerCase();
  return id === 'python' || id === 'r' || id === 'julia' ? id : undefined;
}

/** Downloaded reports that a code cell loads. */
export interface LoadedReports {
  readonly reports: readonly { readonly report_id: number; readonly report_key: string }[];
  /** The downloads folder relative to the workspace folder, or an absolute one; parts separated by `/`. */
  readonly folder: string;
  /** True in a notebook, where the last expression of a cell is shown. */
  readonly shown: boolean;
}

/**
 * Code that finds the lock file upwards from wherever it runs, checks each PDF's SHA-256, and gives path and metadata.
 * It runs by itself; several reports are a loop. Texts of the service appear in comments of one line only.
 */
export function loadingCode(language: CodeLanguage, { reports, folder, shown }: LoadedReports): string {
  const { loader, one, many, separator } = forms[language];
  const comment = (key: string) => `# ${plainText(key, 100)}`;
  const lines = reports.map(({ report_id, report_key }, index) => {
    const end = index < reports.length - 1 || separator === 'after each' ? ',' : ' ';
    return `${report_id}${end}  ${comment(report_key)}`;
  });
  const [first] = reports;
  const [call, show] =
    first && reports.length === 1
      ? [`${comment(first.report_key)}\n${one.call(first.report_id)}`, one.show]
      : [many.call(lines), many.show];
  const load = loader.replace('FOLDER', () => textLiteral(folder, language));
  return `${load}\n${call}${shown ? `\n${show}` : ''}\n`;
}

/** How a language loads one report or several, and shows where they are. */
interface CodeForm {
  readonly loader: string;
  readonly one: { readonly show: string; call(reportId: number): string };
  readonly many: { readonly show: string; call(lines: readonly string[]): string };
  /** R takes no comma after the last item of a list. */
  readonly separator: 'after each' | 'between';
}

/** Characters that a reader sees as what they are: letters, marks, numbers, punctuation, symbols and the plain space. */
const visible = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/**
 * Any text as a string literal in double quotes. Invisible, direction-changing and control characters are written as
 * escapes, half characters as U+FFFD, and NUL, which R has no way to write, is left out.
 */
export function textLiteral(text: string, language: CodeLanguage): string {
  return `"${[...text.toWellFormed()].map((character) => escaped(character, language)).join('')}"`;
}

function escaped(character: string, language: CodeLanguage): string {
  if (character === '\0') return '';
  if (character === '"' || character === '\\') return `\\${character}`;
  if (character === '$' && language === 'julia') return '\\$';
  if (visible.test(character)) return character;
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}

const indented = (lines: readonly string[], blanks: string) => lines.map((line) => `${blanks}${line}`).join('\n');

/** Python that loads downloaded reports with the standard library alone. */
const pythonLoader = `# Report Library: needs nothing but Python, and runs from anywhere at or below the folder that holds the PDFs.
import csv, hashlib, json, re, sys
from pathlib import Path


def load_report(report_id, folder=FOLDER):
    """Path and metadata of a downloaded report, after its SHA-256 was compared with reports.lock.json."""
    for parent in [Path.cwd(), *Path.cwd().parents]:
        lock = parent / folder / "reports.lock.json"
        rows = json.loads(lock.read_text(encoding="utf-8-sig"))["reports"] if lock.is_file() else []
        row = next((row for row in rows if row["report_id"] == report_id), None)
        if row:
            break
    else:
        where = f"{folder}/reports.lock.json at or above {Path.cwd()}"
        raise FileNotFoundError(f"No {where} names report {report_id}. Download it first.")
    path = lock.parent / row["path"]
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing. Run: Report Library: Restore PDFs from Lock File.")
    digest = hashlib.sha256()
    with path.open("rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    if digest.hexdigest() != row["sha256"]:
        raise ValueError(f"{path} is not the PDF that was downloaded: its SHA-256 differs from {lock}.")
    metadata, table = {}, lock.parent / "reports.csv"
    if table.is_file():
        with table.open(encoding="utf-8-sig", newline="") as file:
            for line in csv.DictReader(file):
                if line.get("report_id") == str(report_id):
                    metadata = {
                        name: re.sub("^'(?=[=@\\t\\r]|[+-](?![0-9.,]*$))", "", value or "")
                        for name, value in line.items()
                        if name
                    }
    frames = sys.modules.get("pandas") or sys.modules.get("polars")
    frame = frames.DataFrame([metadata]) if frames and metadata else None
    return {"path": path, "metadata": metadata, "row": frame}

`;

/** R that loads downloaded reports with base R; the hash needs R 4.5, digest or openssl, and a warning says so. */
const rLoader = `# Report Library: needs nothing but R, and runs from anywhere at or below the folder that holds the PDFs.
load_report <- function(report_id, folder = FOLDER) {
  id <- sprintf("%.0f", report_id)
  parent <- normalizePath(getwd(), winslash = "/")
  repeat {
    home <- if (grepl("^(/|[A-Za-z]:)", folder)) folder else file.path(parent, folder)
    lock <- file.path(home, "reports.lock.json")
    # One report a line, as Report Library writes it.
    lines <- if (file.exists(lock)) readLines(lock, encoding = "UTF-8", warn = FALSE) else character()
    line <- grep(sprintf('"report_id": *%s *,', id), lines, value = TRUE)
    if (length(line) > 0) break
    if (dirname(parent) == parent) {
      stop("No ", folder, "/reports.lock.json at or above ", getwd(), " names report ", id, ". Download it first.")
    }
    parent <- dirname(parent)
  }
  member <- function(name) sub(sprintf('.*"%s": *"([^"]*)".*', name), "\\\\1", line[1])
  path <- file.path(home, member("path"))
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
  } else if (sha256 != member("sha256")) {
    stop(path, " is not the PDF that was downloaded: its SHA-256 differs from ", lock, ".")
  }
  row <- NULL
  table <- file.path(home, "reports.csv")
  if (file.exists(table)) {
    rows <- read.csv(table, colClasses = "character", check.names = FALSE, na.strings = character(), encoding = "UTF-8")
    row <- rows[rows$report_id == id, , drop = FALSE]
    row[] <- lapply(row, function(value) sub("^'(?=[=@\\t\\r]|[+-](?![0-9.,]*$))", "", value, perl = TRUE))
  }
  list(path = path, metadata = as.list(row), row = row)
}
`;

/** Julia that loads downloaded reports with the standard library alone. */
const juliaLoader = `# Report Library: needs nothing but Julia, and runs from anywhere at or below the folder that holds the PDFs.
using SHA

function csv_records(text)
    records, record, field, quoted, closing = Vector{String}[], String[], IOBuffer(), false, false
    for character in text
        if closing && character == '"'
            print(field, '"')
            closing = false
            continue
        end
        closing && (quoted = closing = false)
        if character == '"'
            quoted ? (closing = true) : (quoted = true)
        elseif quoted || !(character in (',', '\\r', '\\n'))
            print(field, character)
        elseif character != '\\r'
            push!(record, String(take!(field)))
            character == '\\n' && (push!(records, record); record = String[])
        end
    end
    return records
end

function load_report(report_id; folder = FOLDER)
    parent, home, lock, line = pwd(), "", "", nothing
    while true
        home = joinpath(parent, folder)
        lock = joinpath(home, "reports.lock.json")
        # One report a line, as Report Library writes it.
        lines = isfile(lock) ? readlines(lock) : String[]
        found = findfirst(text -> occursin(Regex("\\"report_id\\": *$(report_id) *,"), text), lines)
        found === nothing || (line = lines[found]; break)
        dirname(parent) == parent &&
            error("No $(folder)/reports.lock.json at or above $(pwd()) names report $(report_id). Download it first.")
        parent = dirname(parent)
    end
    member(name) = match(Regex("\\"$(name)\\": *\\"([^\\"]*)\\""), line)[1]
    path = joinpath(home, split(member("path"), '/')...)
    isfile(path) || error("$(path) is missing. Run: Report Library: Restore PDFs from Lock File.")
    bytes2hex(open(sha256, path)) == member("sha256") ||
        error("$(path) is not the PDF that was downloaded: its SHA-256 differs from $(lock).")
    metadata, table = Dict{String,String}(), joinpath(home, "reports.csv")
    if isfile(table)
        header, rows... = csv_records(read(table, String))
        id = findfirst(==("report_id"), header)
        row = id === nothing ? nothing : findfirst(row -> row[id] == string(report_id), rows)
        row === nothing ||
            (metadata = Dict(name => replace(value, r"^'(?=[=@\\t\\r]|[+-](?![0-9.,]*$))" => "") for (name, value) in zip(header, rows[row])))
    end
    return (path = path, metadata = metadata)
end
`;

const forms: Readonly<Record<CodeLanguage, CodeForm>> = {
  python: {
    loader: pythonLoader,
    one: { show: 'report["path"]', call: (reportId) => `report = load_report(${reportId})` },
    many: {
      show: '[report["path"] for report in reports]',
      call: (lines) => `reports = [load_report(report_id) for report_id in [\n${indented(lines, '    ')}\n]]`,
    },
    separator: 'after each',
  },
  r: {
    loader: rLoader,
    one: { show: 'report$path', call: (reportId) => `report <- load_report(${reportId})` },
    many: {
      show: 'sapply(reports, function(report) report$path)',
      call: (lines) => `reports <- lapply(c(\n${indented(lines, '  ')}\n), load_report)`,
    },
    separator: 'between',
  },
  julia: {
    loader: juliaLoader,
    one: { show: 'report.path', call: (reportId) => `report = load_report(${reportId})` },
    many: {
      show: '[report.path for report in reports]',
      call: (lines) => `reports = [load_report(report_id) for report_id in [\n${indented(lines, '    ')}\n]]`,
    },
    separator: 'after each',
  },
};
