import * as vscode from 'vscode';
import { type Client, createClient, type NetworkOptions } from '../../api/client.ts';
import type { Connection } from '../../app/session.ts';
import type { Logger } from '../../base/logger.ts';
import { sharedMachineState } from '../../machine/machineState.ts';
import { applicationSetting } from '../common/settings.ts';

/**
 * Makes clients as the user's settings and the editor's own network settings say. They share pace and connections with
 * every other window on this machine, and with the command line (LIM-1).
 */
export function clientMaker({ version, log }: { version: string; log: Logger }) {
  const budget = sharedMachineState(log);
  return {
    create: (connection: Connection): Client =>
      createClient({
        baseUrl: connection.baseUrl,
        key: connection.key,
        authentication: applicationSetting('reportLibrary.authentication'),
        requestsPerSecond: applicationSetting('reportLibrary.requestsPerSecond'),
        userAgent: `report-library-vscode/${version} VSCode/${vscode.version}`,
        network: networkOptions(),
        budget,
        logger: log,
      }),
    dispose: () => budget.dispose(),
  };
}

/** The editor's own proxy settings; only what the user set, since a workspace could name a proxy that listens. */
function networkOptions(): NetworkOptions {
  const http = vscode.workspace.getConfiguration('http');
  const setByUser = <T>(key: string): T | undefined => {
    const inspected = http.inspect<T>(key);
    return inspected?.globalValue ?? inspected?.defaultValue;
  };
  const support = setByUser<string>('proxySupport');
  return {
    proxy: support === 'off' ? undefined : setByUser<string>('proxy'),
    noProxy: setByUser<string[]>('noProxy'),
    systemCertificates: setByUser<boolean>('systemCertificates'),
    env: support === 'off' ? undefined : process.env,
  };
}
