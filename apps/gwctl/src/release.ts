import manifest from '../package.json' with { type: 'json' };

/** The release that this tool belongs to; control plane, gateway and gwctl carry the same. Source: decisions, 2. */
export function ownRelease(): string {
  return manifest.version;
}
