import { parentPort, workerData } from 'node:worker_threads';
import { silentLogger } from '../base/logger.ts';
import { Channel, silent, threadPort } from '../base/rpc.ts';
import { ToolSources } from './sources.ts';
import { answerTool } from './tools.ts';
import { type ToolWorkerOptions, toolSide } from './toolThread.ts';

/** The worker thread in which the editor's tools read: what a question takes never holds up the editor. */
const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');
const sources = new ToolSources((workerData as ToolWorkerOptions).pointer);

new Channel({
  ...{ port: threadPort(port), mine: toolSide, theirs: silent, log: silentLogger },
  handlers: { calls: { answer: ([name, input], signal) => answerTool(name, input, sources, signal) }, events: {} },
  // Whatever a model may hear is an answer; what is left is the end of a call.
  explain: () => 'The tool was stopped.',
});
