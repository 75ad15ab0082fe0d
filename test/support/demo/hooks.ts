import type { IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { usageOf } from '../../../src/demo/keys.ts';
import { HttpProblem } from '../../../src/demo/requests.ts';
import { htmlPage } from '../../../src/demo/service.ts';
import { linkTime, makeLink } from '../../../src/demo/signer.ts';
import { type DemoHooks, type DemoState, keyOf, type RequestContext } from '../../../src/demo/state.ts';
import { deliver } from './deliver.ts';
import type { FaultAction, FaultPlan } from './faults.ts';
import type { RequestLog } from './requestLog.ts';

const spoiling = new Set<FaultAction['kind']>(['truncate', 'stall', 'drip', 'garbage', 'altered-bytes', 'extra-bytes']);

/** Logs every request, and lets those that the plan picks go wrong. `ending` frees stalled answers. */
export function faultHooks(state: DemoState, plan: FaultPlan, log: RequestLog, ending: AbortSignal): DemoHooks {
  const faults = new WeakMap<IncomingMessage, FaultAction>();
  return {
    async outside(c, next) {
      const { incoming, outgoing } = c.env;
      const entry = log.begin(incoming, state.keys, state.connections.size);
      outgoing.once('close', () => log.end(entry));
      const fault = plan.take(entry);
      entry.fault = fault?.kind ?? null;
      if (fault) faults.set(incoming, fault);
      if (fault?.kind === 'reset') {
        incoming.socket.resetAndDestroy();
        return RESPONSE_ALREADY_SENT;
      }
      if (fault?.kind === 'html') {
        entry.status = fault.status;
        return htmlPage(fault.status, fault.retryAfter);
      }
      await next();
      entry.status = c.res.status;
      if (!fault) return;
      const answer = await changed(c.res, fault);
      c.res = undefined;
      if (spoiling.has(fault.kind)) {
        await deliver(answer, outgoing, fault, state.clock, ending);
        c.res = RESPONSE_ALREADY_SENT;
      } else c.res = answer;
    },

    async inside(c, next) {
      const { incoming, context } = c.env;
      const fault = faults.get(incoming);
      if (fault?.kind === 'redirect') {
        return new Response(null, { status: fault.status ?? 302, headers: { location: fault.location } });
      }
      if (fault?.kind === 'status') {
        const headers = retryHeaders(fault.retryAfter);
        if (fault.empty) return new Response(null, { status: fault.status, headers });
        throw new HttpProblem(fault.status, 'The service can not answer at present.', headers);
      }
      if (context.key?.label === 'withoutFiles' && c.req.path.endsWith('/download'))
        throw new HttpProblem(403, 'The API key lacks the scope files:read.');
      if (fault?.kind === 'range' && fault.answer === 'whole') c.req.raw.headers.delete('range');
      await next();
      const isLink = c.res.status === 200 && c.req.path.endsWith('/download');
      if (isLink && fault?.kind === 'usage-unrecorded') {
        usageOf(keyOf(context), state.clock).downloads -= 1;
        const headers = retryHeaders(fault.retryAfter ?? 5);
        throw new HttpProblem(503, 'The download could not be recorded; no link was made.', headers);
      }
      const isPart = c.res.status === 206 && fault?.kind === 'range';
      if (isLink && fault?.kind === 'expired-link') replace(await expired(state, context, c.res));
      else if (isPart && fault.answer === 'refused') replace(refused(c.res));
      else if (isPart && fault.answer === 'shifted') replace(await shifted(c.res));

      function replace(answer: Response): void {
        c.res = undefined;
        c.res = answer;
      }
    },
  };
}

/** The Retry-After header for a value in seconds or an HTTP date, or none. */
function retryHeaders(retryAfter: number | string | undefined): Record<string, string> {
  return retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
}

/** The answer with its JSON changed, where the plan wants it to be different. */
async function changed(answer: Response, fault: FaultAction): Promise<Response> {
  if (fault.kind !== 'rewrite' || !/json/.test(answer.headers.get('content-type') ?? '')) return answer;
  const { status, headers } = answer;
  const sent = new Uint8Array(await answer.arrayBuffer());
  const plain = headers.get('content-encoding') === 'gzip' ? gunzipSync(sent) : sent;
  const body = JSON.stringify(fault.change(JSON.parse(new TextDecoder().decode(plain))));
  headers.delete('content-encoding');
  headers.set('content-length', String(Buffer.byteLength(body)));
  return new Response(body, { status, headers });
}

/** A link that looks like any other: only its signature is of a time gone by. */
async function expired(state: DemoState, context: RequestContext, answer: Response): Promise<Response> {
  const body = (await answer.json()) as { readonly report_id: number };
  const { path } = makeLink(state.signer, body.report_id, keyOf(context), state.clock.now() - linkTime);
  return Response.json({ ...body, url: state.origin + path }, { headers: answer.headers });
}

/** A server that can't do ranges. */
function refused({ headers }: Response): Response {
  const total = headers.get('content-range')?.split('/')[1];
  headers.set('content-range', `bytes */${total}`);
  return new Response(null, { status: 416, headers });
}

/** The part from one byte before the one that was asked for. */
async function shifted(answer: Response): Promise<Response> {
  const { status, headers } = answer;
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? [];
  const asked = new Uint8Array(await answer.arrayBuffer());
  headers.set('content-range', `bytes ${Math.max(0, Number(first) - 1)}-${Number(last) - 1}/${total}`);
  // Its first byte is of no account: a reader of the header takes none of this.
  const body = Number(first) === 0 ? asked.slice(0, -1) : new Uint8Array(asked.length);
  if (Number(first) > 0) body.set(asked.subarray(0, -1), 1);
  return new Response(body, { status, headers });
}
