import { isIP } from 'node:net';

/** RFC 6761, section 6.3: these names are always this machine. */
const loopback: readonly string[] = ['127.0.0.1', '::1'];

/** Names and addresses of a hosts file. Names in lower case. Source: hosts(5). */
export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address, ...names] = (line.split('#')[0] ?? '').trim().split(/\s+/);
    if (address === undefined || isIP(address) === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      const list = found.get(key) ?? [];
      if (!list.includes(address)) list.push(address);
      found.set(key, list);
    }
  }
  return found;
}

/** What a name stands for on this machine; `undefined` when name servers have to be asked. @param name lower case */
export function addressesInHosts(
  hosts: ReadonlyMap<string, readonly string[]>,
  name: string,
): readonly string[] | undefined {
  const bare = name.endsWith('.') ? name.slice(0, -1) : name;
  return hosts.get(bare) ?? (bare === 'localhost' || bare.endsWith('.localhost') ? loopback : undefined);
}
