import type { CallOptions } from '../../../src/api/schemas/page.ts';
import type { Answer, Service, ServiceRequest } from '../../../src/api/transport/answers.ts';

/** A service that answers with what a function makes of each request, and remembers what it was asked. */
export class FakeService implements Service {
  readonly asked: ServiceRequest[] = [];
  readonly #answer: (request: ServiceRequest) => unknown;

  constructor(answer: (request: ServiceRequest) => unknown) {
    this.#answer = answer;
  }

  async ask(request: ServiceRequest, _options?: CallOptions): Promise<Answer> {
    this.asked.push(request);
    const answer = this.#answer(request);
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    return { body: Buffer.from(text), isJson: true, serverTime: 42, requestId: undefined };
  }
}
