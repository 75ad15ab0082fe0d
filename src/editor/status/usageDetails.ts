import * as vscode from 'vscode';
import { labelText } from '../common/plainText.ts';

type Rows = readonly (readonly [label: string, value: string])[];

interface Entry extends vscode.QuickPickItem {
  readonly refresh?: true;
}

/** Usage Details: the numbers that the tooltip shows, for the keyboard too, and the service's own words of them. */
export async function showUsageDetails(title: string, rows: Rows, raw: unknown, refresh: () => void): Promise<void> {
  const separator = (label: string): Entry => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const entries: Entry[] = rows.map(([label, description]) => ({ label, description: labelText(description) }));
  const told = leaves(raw);
  if (told.length > 0) entries.push(separator('As the service tells it'), ...told);
  entries.push(separator(''), { label: '$(refresh) Ask the Service Again', refresh: true });
  const chosen = await vscode.window.showQuickPick(entries, { title: labelText(title), placeHolder: 'Usage Details' });
  if (chosen?.refresh) refresh();
}

const most = 40;

/** Whatever the service says of usage, as rows: its shape is open (META-1). */
function leaves(raw: unknown, path: readonly string[] = []): Entry[] {
  if (typeof raw === 'object' && raw !== null) {
    return Object.entries(raw)
      .flatMap(([name, value]) => leaves(value, [...path, name]))
      .slice(0, most);
  }
  if (raw === undefined || path.length === 0) return [];
  return [{ label: labelText(path.join(' › ')), description: labelText(String(raw)) }];
}
