import { Hono } from 'hono';
import { authenticate } from './gates/authenticate.ts';
import { injectedFault } from './gates/injectedFault.ts';
import { safety } from './gates/safety.ts';
import { Problem, problemResponse } from './problem.ts';
import { apiPrefix } from './routeNames.ts';
import { addChanges } from './routes/changes.ts';
import { addDownload } from './routes/download.ts';
import { addEntitlements } from './routes/entitlements.ts';
import { addFieldGuide } from './routes/fieldGuide.ts';
import { addFiles } from './routes/files.ts';
import { addFrameworks } from './routes/frameworks.ts';
import { addHealth } from './routes/health.ts';
import { addLookup } from './routes/lookup.ts';
import { addReport } from './routes/report.ts';
import { addReports } from './routes/reports.ts';
import { addResolve } from './routes/resolve.ts';
import { addSchema } from './routes/schema.ts';
import { addUsage } from './routes/usage.ts';
import { addWatchlist } from './routes/watchlist.ts';
import type { DemoApp, DemoState } from './state.ts';

/** The service's routes behind its gates. */
export function makeApp(state: DemoState): DemoApp {
  const app: DemoApp = new Hono();
  app.onError((error) => {
    const problem = error instanceof Problem ? error : new Problem(500, 'Something went wrong in the service.');
    if (problem !== error) state.log.failed(error);
    return problemResponse(problem, state.reading);
  });
  app.notFound(() => problemResponse(new Problem(404, 'There is nothing at this address.'), state.reading));

  app.use(safety(state));
  addFiles(app, state);

  const api: DemoApp = app.basePath(apiPrefix) as DemoApp;
  addHealth(api, state);
  api.use(authenticate(state));
  api.use(injectedFault());
  addEntitlements(api, state);
  addWatchlist(api, state);
  addResolve(api, state);
  addReports(api, state);
  addChanges(api, state);
  addLookup(api, state);
  // After the routes below /reports that have names of their own.
  addReport(api, state);
  addDownload(api, state);
  addSchema(api, state);
  addFieldGuide(api, state);
  addFrameworks(api, state);
  addUsage(api, state);
  return app;
}
