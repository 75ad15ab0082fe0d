/** What the editor offers to a page. */
export interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare global {
  function acquireVsCodeApi(): EditorApi;
  /** What a script that ran before the page's own leaves to it. */
  var headStart: HeadStart | undefined;
}

interface HeadStart {
  readonly editor: EditorApi;
  /** Under which the editor answers what was asked; no channel gives it to a call of its own. */
  readonly callId: number;
  /** What the editor said so far. From then on somebody else listens. */
  takeMessages(): readonly unknown[];
}

/**
 * Makes a call without parameters while the page's own script, which takes up the answer, is still being read. This
 * file imports nothing, so that a script with it is small.
 */
export function callAhead(name: string): void {
  const editor = acquireVsCodeApi();
  const messages: unknown[] = [];
  const collect = ({ data }: MessageEvent<unknown>) => messages.push(data);
  window.addEventListener('message', collect);
  globalThis.headStart = {
    editor,
    callId: 0,
    takeMessages() {
      window.removeEventListener('message', collect);
      return messages;
    },
  };
  editor.postMessage({ kind: 'call', id: globalThis.headStart.callId, name, params: null });
}
