import * as vscode from 'vscode';
import type { App, SyncApi } from './app/app.ts';
import { followEvents } from './app/events.ts';
import { createFeatures, type Features } from './app/features.ts';
import { registerProviders } from './app/providers.ts';
import type { Services } from './app/session.ts';
import { l10n } from './base/l10n.ts';
import { registerCommands } from './editor/common/commands.ts';
import type { PdfText } from './editor/text/pdfText.ts';

/** What the editor tests check. Other extensions get nothing: it is only handed out in a test host. */
export interface TestHandles extends Pick<Features, 'watchlist' | 'reports' | 'changes'> {
  readonly app: App;
  readonly services: Services;
  readonly sync: SyncApi;
  readonly text: () => Promise<PdfText>;
}

/** Registers everything and starts nothing: no request, no file, no database before somebody asks for something. */
export function activate(context: vscode.ExtensionContext): TestHandles | undefined {
  l10n.speak(vscode.env.language, vscode.l10n.bundle);
  const features = createFeatures(context);
  const { app, commands, watchlist, reports, changes, text } = features;
  context.subscriptions.push(
    features,
    registerCommands(commands, app.log),
    registerProviders(features),
    followEvents(features),
  );
  const { services, sync } = app;
  return context.extensionMode === vscode.ExtensionMode.Test
    ? { app, services, sync, watchlist, reports, changes, text: () => text.get() }
    : undefined;
}
