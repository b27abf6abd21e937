import { existsSync } from 'node:fs';
import { findExecutable } from '../machine/executable.ts';
import type { Pinning } from '../machine/pinning.ts';
import { npmGatewayNames, npmGatewayPeer } from '../npm-gateways/npm-gateway-peers.ts';
import { gatewayPeer } from '../peers/gateway-peer.ts';
import { haproxyPeer } from '../peers/haproxy-peer.ts';
import { administratorFolders } from '../peers/listening-peer.ts';
import { minimalPeer } from '../peers/minimal-peer.ts';
import { luaModules } from '../peers/nginx-configuration.ts';
import { nginxLuaPeer, nginxPeer } from '../peers/nginx-peer.ts';
import type { Peer } from '../peers/peer.ts';
import { modes } from '../peers/terms.ts';
import type { Mode } from '../peers/terms.ts';

/** Every peer by the name under which it is asked for, in the order of tables. */
export const peerNames: readonly string[] = [
  'minimal',
  'gateway',
  ...npmGatewayNames,
  'nginx',
  'nginx + Lua',
  'HAProxy',
];

/** Peers that a run measures, and those that the machine does not have. */
export interface PeerList {
  readonly peers: readonly Peer[];
  /** A sentence for each that is missing. */
  readonly missing: readonly string[];
}

/**
 * The peers of a run, by mode.
 * @param wanted names of peers
 * @param gateway the built `main.js`
 */
export function listPeers(wanted: readonly string[], pinning: Pinning, gateway: string): PeerList {
  const nginx = findExecutable('nginx', administratorFolders);
  const haproxy = findExecutable('haproxy', administratorFolders);
  const hasLua = nginx !== undefined && luaModules.every((file) => existsSync(file));
  const makers: Readonly<Record<string, (mode: Mode) => readonly Peer[]>> = {
    minimal: (mode) => [minimalPeer(mode, pinning)],
    gateway: (mode) => [gatewayPeer(mode, pinning, gateway)],
    ...Object.fromEntries(npmGatewayNames.map((name) => [name, (mode: Mode) => [npmGatewayPeer(name, mode, pinning)]])),
    ...(nginx === undefined ? {} : { nginx: (mode: Mode) => [nginxPeer(mode, pinning, nginx)] }),
    // Without policies it is nginx itself.
    ...(hasLua ? { 'nginx + Lua': (mode: Mode) => (mode === 'plain' ? [] : [nginxLuaPeer(pinning, nginx)]) } : {}),
    ...(haproxy === undefined ? {} : { HAProxy: (mode: Mode) => [haproxyPeer(mode, pinning, haproxy)] }),
  };
  const names = peerNames.filter((name) => wanted.includes(name));
  return {
    peers: modes.flatMap((mode) => names.flatMap((name) => makers[name]?.(mode) ?? [])),
    missing: names.filter((name) => makers[name] === undefined).map((name) => `${name}: not installed, skipped`),
  };
}
