/** What starts the MCP server of the version that is installed. */
export interface LauncherOptions {
  readonly platform: NodeJS.Platform;
  /** The editor's own Node: it has the SQLite that is needed. */
  readonly execPath: string;
  readonly script: string;
  readonly pointer: string;
  readonly version: string;
}

/** A file at a place that stays, which starts the server wherever that is: other clients are configured once. */
export interface Launcher {
  readonly name: string;
  readonly content: string;
}

/** The launcher's file: a script for the system's own shell. */
export function launcherOf({ platform, execPath, script, pointer, version }: LauncherOptions): Launcher {
  const parts = [execPath, script, pointer, version];
  if (platform !== 'win32') {
    // The starter's environment may have the key of the command line; the server has no use for it.
    const content = `#!/bin/sh\nunset REPORT_LIBRARY_API_KEY\nELECTRON_RUN_AS_NODE=1 exec ${parts.map(quotedForShell).join(' ')}\n`;
    return { name: 'report-library-mcp', content };
  }
  const settings = ['set REPORT_LIBRARY_API_KEY=', 'set ELECTRON_RUN_AS_NODE=1'];
  const lines = ['@echo off', 'chcp 65001 >nul', ...settings, parts.map(quotedForBatch).join(' ')];
  return { name: 'report-library-mcp.cmd', content: `${lines.join('\r\n')}\r\n` };
}

function quotedForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** No path of Windows holds a quotation mark. */
function quotedForBatch(text: string): string {
  return `"${text.replaceAll('%', '%%')}"`;
}

/** What other clients are configured with, as JSON; `launcher` is the path of its file. */
export function mcpConfiguration(platform: NodeJS.Platform, launcher: string): string {
  const command =
    platform === 'win32' ? { command: 'cmd', args: ['/c', launcher] } : { command: '/bin/sh', args: [launcher] };
  return `${JSON.stringify({ mcpServers: { 'report-library': command } }, null, 2)}\n`;
}
