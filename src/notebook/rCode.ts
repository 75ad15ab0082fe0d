import type { LoadedReports } from './code.ts';
import { textLiteral } from './literals.ts';

/** R that loads downloaded reports with base R; the hash needs R 4.5, digest or openssl, and a warning says so. */
export function rCode({ reports, folder, shown }: LoadedReports, comment: (text: string) => string): string {
  const [first, ...more] = reports;
  const list = reports.map(({ report_id, report_key }, index) => {
    const comma = index < reports.length - 1 ? ',' : ' ';
    return `  ${report_id}${comma}  # ${comment(report_key)}`;
  });
  const call =
    first && more.length === 0
      ? `# ${comment(first.report_key)}\nreport <- load_report(${first.report_id})${shown ? '\nreport$path' : ''}`
      : `reports <- lapply(c(\n${list.join('\n')}\n), load_report)${shown ? '\nsapply(reports, function(report) report$path)' : ''}`;
  return `${loader.replace('FOLDER', () => textLiteral(folder, 'r'))}\n${call}\n`;
}

const loader = `# Report Library: needs nothing but R, and runs from anywhere at or below the folder that holds the PDFs.
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
