export {
  consumerOf,
  createNodeMiddleware,
  exchangeOf,
  tellFailure,
  type NextHandler,
  type NodeMiddleware,
  type NodeMiddlewareOptions,
} from './node/create-node-middleware.ts';
export { peerCertificatesOf } from './node/peer-certificates.ts';
export type { HostControls } from './fetch/host-options.ts';
