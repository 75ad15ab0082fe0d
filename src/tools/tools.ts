import { explainFieldTool } from './explainField.ts';
import { findCompaniesTool } from './findCompanies.ts';
import { findReportsTool, readReportTool } from './findReports.ts';
import { listChangesTool } from './listChanges.ts';
import { readPagesTool, verifyQuoteTool } from './readPages.ts';
import { searchPagesTool } from './searchPages.ts';
import type { ToolSources } from './sources.ts';
import { failed, type Tool, type ToolAnswer, type ToolPorts } from './tool.ts';

/** The tools of both doors, in the order in which they are used: each only reads what is on this computer. */
export const tools: readonly Tool[] = [
  findCompaniesTool,
  findReportsTool,
  readReportTool,
  explainFieldTool,
  listChangesTool,
  searchPagesTool,
  readPagesTool,
  verifyQuoteTool,
];

/** How often a call is answered anew because the library in use changed meanwhile. */
const maxTurns = 3;

/** Answers a call of a tool by its name, for both doors. Rejects with the signal's reason once it aborts. */
export async function answerTool(
  name: string,
  input: unknown,
  sources: ToolSources,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const tool = tools.find((each) => each.name === name);
  if (!tool) return failed(`There is no such tool. Tools are: ${tools.map((each) => each.name).join(', ')}.`);
  return sources.during(async () => {
    for (let turn = 0; turn < maxTurns; turn += 1) {
      let used: ToolPorts | undefined;
      const open = async () => {
        used = await sources.ports();
        return used;
      };
      const answer = await tool.answer(input, open, signal);
      if (!used || sources.isInUse(used)) return answer;
      // Somebody signed out, or another connection took over, while it was being answered.
    }
    return failed('The library in use changed while this was answered. Call again.');
  });
}
