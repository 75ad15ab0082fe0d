import type { Port } from '../../base/rpc.ts';
import { readDataBlock } from '../../protocol/page.ts';

interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): EditorApi;

/** The editor's side of this page. May be acquired once only. */
export const editor = acquireVsCodeApi();

/** Messages to and from the editor. What the page's HTML brought along comes first, once the page's script has run. */
export const editorPort: Port = {
  post: (message) => editor.postMessage(message),
  onMessage(listener) {
    const brought = readDataBlock(document.querySelector('#messages')?.textContent);
    if (Array.isArray(brought)) queueMicrotask(() => brought.forEach(listener));
    const onMessage = (event: MessageEvent<unknown>) => listener(event.data);
    window.addEventListener('message', onMessage);
    return { dispose: () => window.removeEventListener('message', onMessage) };
  },
};

/** The page has no log of its own: what is worth knowing goes to the developer tools. */
export const pageLog = {
  debug: (message: string) => console.debug(message),
  info: (message: string) => console.info(message),
  warn: (message: string) => console.warn(message),
  error: (message: string) => console.error(message),
};

/** Words of a failed call. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
