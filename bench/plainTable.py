"""Keeps reports the plain way with Python's own sqlite3: reads pages, one a line, and prints the reports a second.

Called as `python3 plainTable.py DATABASE PAGES`; the peer of `libraryPlain.ts`, with the same tables.
"""

import json
import sqlite3
import sys
import time

database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.executescript(
    """
    PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE reports(
      report_id INTEGER PRIMARY KEY, company_key TEXT, fcyear INTEGER, type TEXT, language TEXT, country TEXT,
      gri INTEGER, title TEXT, company TEXT, json TEXT);
    CREATE INDEX by_company ON reports(company_key, fcyear);
    CREATE INDEX by_type ON reports(type, fcyear, language, gri);
    CREATE INDEX by_year ON reports(fcyear);
    CREATE VIRTUAL TABLE words USING fts5(title, company, isin, lei, report_key, content='', prefix='1 2 3');
    """
)
columns = (
    "report_id company_key report_fcyear report_type report_lang company_country standards_gri report_title company_name"
).split()
words = "report_id report_title company_name company_isin company_lei report_key".split()
with open(sys.argv[2], "rb") as file:
    pages = file.read().splitlines()
count = 0
started = time.perf_counter()
for page in pages:
    reports = json.loads(page)["data"]
    database.execute("BEGIN IMMEDIATE")
    database.executemany(
        "INSERT OR REPLACE INTO reports VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [[report.get(name) for name in columns] + [json.dumps(report)] for report in reports],
    )
    database.executemany(
        "INSERT INTO words(rowid, title, company, isin, lei, report_key) VALUES (?, ?, ?, ?, ?, ?)",
        [[report.get(name) for name in words] for report in reports],
    )
    database.execute("COMMIT")
    count += len(reports)
print(count / (time.perf_counter() - started))
