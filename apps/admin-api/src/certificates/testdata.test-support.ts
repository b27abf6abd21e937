import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of `testdata`, as text. `make.sh` beside them says what each is. */
export function testdata(name: string): string {
  return readFileSync(join(import.meta.dirname, 'testdata', name), 'utf8');
}

/** The bytes of the only block of a PEM text. */
export function derOf(pem: string): Buffer {
  return Buffer.from(pem.replaceAll(/-----[^-]+-----/g, ''), 'base64');
}

/** A PEM text out of its label and bytes. */
export function pemOf(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
