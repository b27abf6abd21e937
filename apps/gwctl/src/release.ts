import { readFileSync } from 'node:fs';

/** The release that this tool belongs to; control plane, gateway and gwctl carry the same. Source: decisions, 2. */
export function ownRelease(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  return manifest.version;
}
