import { IncomingMessage } from 'node:http';

/** The fields that the server of `node:http` and this side of the gateway ask for. Lines of one name are joined. */
interface AskedFields {
  readonly 'content-length'?: string;
  readonly 'transfer-encoding'?: string;
  readonly expect?: string;
  readonly upgrade?: string;
  readonly te?: string;
}

const askedNames: ReadonlySet<string> = new Set<keyof AskedFields>([
  'content-length',
  'transfer-encoding',
  'expect',
  'upgrade',
  'te',
]);

/** Most fields are told by the length of their names alone. */
const askedLengths: ReadonlySet<number> = new Set(Array.from(askedNames, ({ length }) => length));

/**
 * A request that does not make an object of all its fields. `node:http` asks each for a few of them and would make it for that; the gateway
 * reads the list as it came.
 */
export class LeanRequest extends IncomingMessage {
  #asked: AskedFields | undefined;

  /** What `headers` is here. */
  get asked(): AskedFields {
    return (this.#asked ??= readAsked(this.rawHeaders));
  }
}

// As a getter of the class it would contradict the types of `node:http`, which call it a property.
Object.defineProperty(LeanRequest.prototype, 'headers', {
  get(this: LeanRequest) {
    return this.asked;
  },
});

function readAsked(pairs: readonly string[]): AskedFields {
  const asked: { -readonly [Name in keyof AskedFields]: string } = {};
  for (let at = 0; at < pairs.length; at += 2) {
    const name = pairs[at] ?? '';
    if (!askedLengths.has(name.length)) continue;
    const lower = name.toLowerCase();
    if (!isAsked(lower)) continue;
    const value = pairs[at + 1] ?? '';
    const before = asked[lower];
    asked[lower] = before === undefined ? value : `${before}, ${value}`;
  }
  return asked;
}

function isAsked(lowerName: string): lowerName is keyof AskedFields {
  return askedNames.has(lowerName);
}
