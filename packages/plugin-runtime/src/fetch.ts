export { createFetchHandler, type FetchHandler, type FetchHandlerOptions } from './fetch/create-fetch-handler.ts';
export type { HostControls } from './fetch/host-options.ts';
export type { PeerOptions } from './fetch/peer-options.ts';
