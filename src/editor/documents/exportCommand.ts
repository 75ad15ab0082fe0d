import type { DocumentPorts } from './ports.ts';

export async function exportReports(_ports: DocumentPorts, _args: readonly unknown[]): Promise<void> {}
