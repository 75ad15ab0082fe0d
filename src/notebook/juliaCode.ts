import type { LoadedReports } from './code.ts';
import { textLiteral } from './literals.ts';

/** Julia that loads downloaded reports with the standard library alone. */
export function juliaCode({ reports, folder, shown }: LoadedReports, comment: (text: string) => string): string {
  const [first, ...more] = reports;
  const list = reports.map(({ report_id, report_key }) => `    ${report_id},  # ${comment(report_key)}`).join('\n');
  const call =
    first && more.length === 0
      ? `# ${comment(first.report_key)}\nreport = load_report(${first.report_id})${shown ? '\nreport.path' : ''}`
      : `reports = [load_report(report_id) for report_id in [\n${list}\n]]${shown ? '\n[report.path for report in reports]' : ''}`;
  return `${loader.replace('FOLDER', () => textLiteral(folder, 'julia'))}\n${call}\n`;
}

const loader = `# Report Library: needs nothing but Julia, and runs from anywhere at or below the folder that holds the PDFs.
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
