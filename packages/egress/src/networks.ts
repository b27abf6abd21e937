/** Sets of addresses alone, without the HTTP client that the package's main entry point brings. */
export { type Network, NetworkSet } from './address/network-set.ts';
export { readNetwork } from './address/read-network.ts';
