import { codings, dataEnds, ends, lengths, namesLike, sizes, spelled, type Kind } from './spellings.test-support.ts';

/** A request in a form of its own, with another one behind it. */
export interface RequestVariant {
  readonly name: string;
  /** Bytes up to the request behind it, one character each. `/v` stands for its own path. */
  readonly text: string;
  /**
   * What the upstream may have got in the end, one of these: the bodies of the requests that came whole, its own and then that of the request behind
   * it. An empty list is a request that is refused.
   */
  readonly views: readonly (readonly string[])[];
}

/** No method: what of a body is taken for a request is none. */
const body = 'h(l)o';
const chunks = `5\r\n${body}\r\n0\r\n\r\n`;
/** A request that nobody sent, if a body is taken for one. */
const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n';
const refused: readonly string[] = [];
/** The request, and the one behind it, which has no body. */
const whole = (text: string): readonly string[] => [text, ''];
const quoted = (text: string): string => JSON.stringify(text);
const request = (fields: readonly string[], payload: string, method = 'POST', version = 'HTTP/1.1'): string =>
  [`${method} /v ${version}`, 'Host: a', ...fields, '', payload].join('\r\n');

/** What a value that counts makes of a request: all of it, or nothing. */
function viewsOf(kind: Kind, text: string): readonly (readonly string[])[] {
  if (kind === 'bad') return [refused];
  return kind === 'good' ? [whole(text)] : [whole(text), refused];
}

/** Whether a field's value is no value whatever the name, so that the head is none. */
const breaksHead = (value: string): boolean =>
  Array.from(value).some((character) => character !== '\t' && (character < ' ' || character === '\u007f'));

function* lengthVariants(): Generator<RequestVariant> {
  for (const [name, is] of namesLike('Content-Length')) {
    for (const [value, kind] of spelled(lengths)) {
      const views =
        is === 'it' ? viewsOf(kind, body) : is === 'nothing' || breaksHead(value) ? [refused] : [[''], refused];
      for (const method of is === 'it' ? ['POST', 'GET', 'DELETE'] : ['POST']) {
        const text = request([`${name}:${value}`], body, method);
        yield { name: `${method} with ${quoted(name)}: ${quoted(value)}`, text, views };
      }
    }
  }
  for (const first of ['5', '05', '6', '0']) {
    for (const second of ['5', '6', '0', '']) {
      for (const between of [[], ['X: y']]) {
        const text = request([`Content-Length: ${first}`, ...between, `content-length: ${second}`], body);
        yield { name: `lengths ${first} and ${quoted(second)}, ${between.length} between`, text, views: [refused] };
      }
    }
  }
}

function* codingVariants(): Generator<RequestVariant> {
  const covering = `0\r\n\r\n${smuggled}`;
  for (const [name, is] of namesLike('Transfer-Encoding')) {
    for (const [value, kind] of spelled(codings)) {
      const field = `${name}:${value}`;
      const isHead = is !== 'nothing' && !breaksHead(value);
      const alone = is === 'it' ? viewsOf(kind, body) : isHead ? [[''], refused] : [refused];
      yield { name: `${quoted(name)}: ${quoted(value)}`, text: request([field], chunks), views: alone };
      const length = `Content-Length: ${covering.length}`;
      const both = is === 'other' && isHead ? [whole(covering), refused] : [refused];
      yield {
        name: `a length, ${quoted(name)}: ${quoted(value)}`,
        text: request([length, field], covering),
        views: both,
      };
      yield {
        name: `${quoted(name)}: ${quoted(value)}, a length`,
        text: request([field, length], covering),
        views: both,
      };
      // What HTTP/1.0 has no codings for is at most taken for one request, and nothing after it.
      if (is !== 'it') continue;
      const old = request([field, 'Connection: keep-alive'], chunks, 'POST', 'HTTP/1.0');
      const views = kind === 'bad' ? [refused] : [refused, [body]];
      yield { name: `HTTP/1.0 and ${quoted(name)}: ${quoted(value)}`, text: old, views };
    }
  }
}

function* chunkVariants(): Generator<RequestVariant> {
  const coding = ['Transfer-Encoding: chunked'];
  for (const [size, ofSize] of spelled(sizes)) {
    for (const [dataEnd, ofData] of spelled(dataEnds)) {
      for (const [end, ofEnd] of spelled(ends)) {
        const given = [ofSize, ofData, ofEnd];
        // Where several things are wrong, one of each kind is enough.
        if (given.filter((kind) => kind === 'bad').length > 1) continue;
        if (given.filter((kind) => kind !== 'good').length > 1 && size !== '5;' && end !== '0 \r\n\r\n') continue;
        const kind = given.includes('bad') ? 'bad' : given.includes('odd') ? 'odd' : 'good';
        const text = request(coding, `${size}\r\n${body}${dataEnd}${end}`);
        yield { name: `a chunk ${quoted(size)} ${quoted(dataEnd)} ${quoted(end)}`, text, views: viewsOf(kind, body) };
      }
    }
  }
}

function* lineVariants(): Generator<RequestVariant> {
  const rest = `Host: a\r\nContent-Length: 5\r\n\r\n${body}`;
  const either = [whole(body), refused];
  for (const [before, between, after, version, end] of firstLines()) {
    const isUsual = between === ' ' && after === ' ' && version === 'HTTP/1.1' && end === '\r\n';
    // A bare line feed may end a line, and spaces may be more; everything else is no first line. Source: RFC 9112, 2.2 and 3.
    const isOdd =
      /^( +|\t|[ \t\v\f\r]+)$/.test(between + after) &&
      /^(HTTP\/1\.\d ?|http\/1\.1)$/.test(version) &&
      /^\r*\n$/.test(end);
    const views =
      isUsual && /^(\r\n)?$/.test(before) ? [whole(body)] : isOdd && /^[\r\n]*$/.test(before) ? either : [refused];
    const text = `${before}POST${between}/v${after}${version}${end}${rest}`;
    // HTTP/1.0 ends its connection with the answer.
    const old = version.startsWith('HTTP/1.0') ? [...views, [body]] : views;
    yield { name: `the first line ${quoted(text.slice(0, -rest.length))}`, text, views: old };
  }
  for (let code = 0; code < 0x100; code += 1) {
    const character = String.fromCharCode(code);
    const isToken = /[!#$%&'*+.^_`|~0-9A-Za-z-]/.test(character);
    const isText = code === 9 || (code >= 0x20 && code !== 0x7f);
    const kindOf = (is: boolean): Kind => (is ? 'odd' : 'bad');
    const fields: readonly (readonly [string, Kind])[] = [
      [`X${character}Y: z`, kindOf(isToken || character === ':')],
      [`X: y${character}z`, isText ? 'good' : code >= 0x80 ? 'odd' : 'bad'],
      [`${character}X: y`, kindOf(isToken)],
      [`X${character}: y`, kindOf(isToken || character === ':')],
    ];
    for (const [field, kind] of fields) {
      const text = request([field, 'Content-Length: 5'], body);
      // A line feed ends a line, if any reader lets it.
      const views = character === '\n' ? [refused] : viewsOf(kind, body);
      yield { name: `the field ${quoted(field)}`, text, views };
    }
  }
}

function* firstLines(): Generator<
  readonly [before: string, between: string, after: string, version: string, end: string]
> {
  const spaces = [' ', '  ', '\t', '\v', '\f', '\0', '\u00a0', ' \t'];
  const versions = [
    ...[
      'HTTP/1.1',
      'HTTP/1.0',
      'HTTP/0.9',
      'HTTP/1.2',
      'HTTP/2.0',
      'HTTP/1.10',
      'HTTP/11',
      'HTTP/1.',
      'HTTP/.1',
      'HTTP/1.1 ',
    ],
    ...[
      'http/1.1',
      'HTTP /1.1',
      'HTTP/ 1.1',
      'HTTP/01.1',
      'HTTP/1,1',
      'HTTPS/1.1',
      'HTTP/1.1\t',
      'HTTP/1.1\0',
      'HTTP/-1.1',
      'HTTP/1.1x',
      '',
    ],
  ];
  const lineEnds = ['\r\n', '\n', '\r', '\r\r\n', '\n\r\n', ' \r\n', '\u0085'];
  for (const before of ['', '\r\n', '\n', ' ', '\t', '\0', '\r', 'x ', '\u00ef\u00bb\u00bf'])
    yield [before, ' ', ' ', 'HTTP/1.1', '\r\n'];
  for (const between of spaces) for (const after of spaces) yield ['', between, after, 'HTTP/1.1', '\r\n'];
  for (const version of versions) for (const end of lineEnds) yield ['', ' ', ' ', version, end];
}

/** All of them: each place where two readers may differ, in every spelling of it. */
export function requestVariants(): readonly RequestVariant[] {
  return [...lengthVariants(), ...codingVariants(), ...chunkVariants(), ...lineVariants()];
}
