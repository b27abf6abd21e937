export { createFetchHandler, type FetchHandler, type FetchHandlerOptions } from './fetch/create-fetch-handler.ts';
