import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pinning } from '../machine/pinning.ts';
import { listeningPeer } from './listening-peer.ts';
import { luaConfiguration, nginxConfiguration } from './nginx-configuration.ts';
import type { NginxPlace } from './nginx-configuration.ts';
import type { Peer } from './peer.ts';
import type { Mode } from './terms.ts';

/** nginx as a peer: policies in its own directives. */
export function nginxPeer(mode: Mode, pinning: Pinning, executable: string): Peer {
  return peerOf('nginx', mode, pinning, executable, nginxConfiguration);
}

/** nginx with Lua, the engine under Kong and APISIX: the policies written in Lua. Without policies it is nginx. */
export function nginxLuaPeer(pinning: Pinning, executable: string): Peer {
  return peerOf('nginx + Lua', 'policies', pinning, executable, luaConfiguration);
}

function peerOf(
  name: string,
  mode: Mode,
  pinning: Pinning,
  executable: string,
  configuration: (place: NginxPlace) => string,
): Peer {
  return listeningPeer(
    {
      name,
      mode,
      async configure(place) {
        const file = join(place.folder, 'nginx.conf');
        await writeFile(file, configuration({ ...place, mode }));
        return [executable, '-p', place.folder, '-e', 'stderr', '-c', file];
      },
    },
    pinning,
  );
}
