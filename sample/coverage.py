"""Prints the downloaded reports of this folder, newest fiscal year first. Needs nothing but Python."""

import json
from pathlib import Path

folder = Path(__file__).parent
lock_file = folder / "reports" / "reports.lock.json"

if not lock_file.exists():
    raise SystemExit("Nothing is downloaded yet: open a report in Report Library and choose Download PDF.")

reports = json.loads(lock_file.read_text(encoding="utf-8"))["reports"]
for report in sorted(reports, key=lambda entry: entry["report_key"], reverse=True):
    size = report["bytes"] / 1_000_000
    print(f"{report['company_key']:<28} {report['report_key']:<36} {size:6.2f} MB  {report['path']}")
