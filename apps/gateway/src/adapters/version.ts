import { readFileSync } from 'node:fs';

/** Above `dist`, where everything is one file, or above `src/adapters`. */
const manifestPath = import.meta.url.endsWith('.ts') ? '../../package.json' : '../package.json';

/** The release of this gateway, out of its manifest beside `src` and `dist`. */
export function gatewayVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL(manifestPath, import.meta.url), 'utf8')) as {
    version?: unknown;
  };
  return typeof manifest.version === 'string' ? manifest.version : '0.0.0';
}
