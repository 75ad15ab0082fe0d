// Takes the place of node:diagnostics_channel in every bundle: the HTTP library publishes whole requests there, with the
// API key and signed links, to NODE_DEBUG and to whatever else runs in the process.
const inert = { hasSubscribers: false, publish() {}, subscribe() {}, unsubscribe: () => false };

export const channel = () => inert;
export const subscribe = () => {};
export const unsubscribe = () => false;
export const hasSubscribers = () => false;
