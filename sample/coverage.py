"""Prints which holdings of portfolio.csv have downloaded reports, and for which fiscal years. Needs nothing but Python."""

import csv
from pathlib import Path

folder = Path(__file__).parent


def read_csv(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def is_of(report, identifier):
    """True if a report is of the company that an ISIN, LEI, FIGI, MIC:TICKER or a part of its name stands for."""
    codes = [report["isin"], report["lei"], report["figi"], f"{report['mic']}:{report['ticker']}"]
    return identifier in codes or identifier.casefold() in report["company"].casefold()


def main():
    reports = [report for table in folder.glob("reports*/reports.csv") for report in read_csv(table)]
    if not reports:
        raise SystemExit("No reports yet: choose Download PDFs… on a company in Report Library, then run this again.")
    covered = 0.0
    for holding in read_csv(folder / "portfolio.csv"):
        years = sorted({report["fiscal_year"] for report in reports if is_of(report, holding["identifier"])}, reverse=True)
        covered += float(holding["weight"]) if years else 0
        print(f"{holding['holding']:<26} {float(holding['weight']):>4.0%}  {', '.join(years) or '–'}")
    print(f"Downloaded reports cover {covered:.0%} of the portfolio.")


if __name__ == "__main__":
    main()
