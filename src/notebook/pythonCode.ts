import type { LoadedReports } from './code.ts';
import { textLiteral } from './literals.ts';

/** Python that loads downloaded reports with the standard library alone. */
export function pythonCode({ reports, folder, shown }: LoadedReports, comment: (text: string) => string): string {
  const [first, ...more] = reports;
  const list = reports.map(({ report_id, report_key }) => `    ${report_id},  # ${comment(report_key)}`).join('\n');
  const call =
    first && more.length === 0
      ? `# ${comment(first.report_key)}\nreport = load_report(${first.report_id})${shown ? '\nreport["path"]' : ''}`
      : `reports = [load_report(report_id) for report_id in [\n${list}\n]]${shown ? '\n[report["path"] for report in reports]' : ''}`;
  return `${loader.replace('FOLDER', () => textLiteral(folder, 'python'))}\n\n${call}\n`;
}

const loader = `# Report Library: needs nothing but Python, and runs from anywhere at or below the folder that holds the PDFs.
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
