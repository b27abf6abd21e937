import { nodeJson, readings } from './wide-server.test-support.ts';

/** What the program of every language prints as JSON, made with its client of `testing/wide-model` against `testing/wide-server`. */

/** What only answers have is not sent back. */
const withoutRevision = ({ revision: _, ...rest }: Readonly<Record<string, unknown>>): object => rest;
const nodeToSend = { ...withoutRevision(nodeJson), children: nodeJson.children.map(withoutRevision) };

function echo(request: string, headers: Readonly<Record<string, string>> = {}, body: unknown = ''): unknown {
  return { request, headers: { accept: 'application/json', ...headers }, body };
}

const multipart = [
  '--BOUNDARY',
  'Content-Disposition: form-data; name="title %22x%22"',
  '',
  'T \xc3\xbc',
  '--BOUNDARY',
  'Content-Disposition: form-data; name="photo"; filename="a%22b.jpg"',
  'Content-Type: image/jpeg',
  '',
  '\0\xff',
  '--BOUNDARY',
  'Content-Disposition: form-data; name="pages"; filename="1.png"',
  'Content-Type: image/png',
  '',
  'one',
  '--BOUNDARY',
  'Content-Disposition: form-data; name="pages"; filename="2.png"',
  'Content-Type: image/png',
  '',
  'two',
  '--BOUNDARY',
  'Content-Disposition: form-data; name="meta"',
  'Content-Type: application/json',
  '',
  '{"max-size":5}',
  '--BOUNDARY',
  'Content-Disposition: form-data; name="count"',
  '',
  '3',
  '--BOUNDARY',
  'Content-Disposition: form-data; name="note"',
  'Content-Type: text/markdown',
  '',
  '*a*',
  '--BOUNDARY',
  'Content-Disposition: form-data; name="note"',
  'Content-Type: text/markdown',
  '',
  '*b*',
  '--BOUNDARY--',
  '',
].join('\r\n');

/** By what was tried. */
export const wideOutcomes = {
  find: echo(
    'GET /v1/echo/7/a%2Fb,c%20d/x?from=2024-02-29&level=low&level=new&plain=a,b%2Cc&spaced=a%20b&piped=1%7C2&filter%5Bfrom%5D=2024-01-01&filter%5Bmax-size%5D=5&filter%5Bof%5D%5Bmax-size%5D=6&k%20k=v%26&pairs=a%20a,b%2Cb&json=%7B%22max-size%22%3A5%7D&self=true',
    { 'x-trace': 'a,b', cookie: 'session=s%3B1', 'x-more': 'yes' },
  ),
  findLeast: echo('GET /v1/echo/-1/a/x?from=2024-02-29', { 'x-more': 'yes' }),
  /**
   * Nothing for null, for a list and for an object without anything in it; each in its own way for a list and an object that are in an
   * object.
   */
  styles: echo(
    'GET /v1/echo/styles?a=1&b=x%20y&half=2&inner=%7B%22max-size%22%3A5%7D&list=p&list=q&joined=a,1,b,x%20y,half,2,inner,%7B%22max-size%22%3A5%7D,list,%5B%22p%22%2C%22q%22%5D&deep%5Ba%5D=1&deep%5Bb%5D=x%20y&deep%5Bhalf%5D=2&deep%5Binner%5D%5Bmax-size%5D=5&deep%5Blist%5D=p&deep%5Blist%5D=q',
    { 'x-map': '{"k":"\\u00fc\\ud83d\\ude00"}', cookie: 'ids=1; ids=2; short=1,2; a=1; b=x%20y; pair=a,1,b,x%20y' },
  ),
  stylesLeast: echo('GET /v1/echo/styles'),
  file: echo('GET /v1/echo/files/a%20b/c%3F.txt'),
  class: echo('POST /v1/echo', { 'content-type': 'application/json' }, nodeToSend),
  sendAny: echo('POST /v1/echo', { 'content-type': 'application/merge-patch+json' }, ['a', null]),
  sendNull: echo('POST /v1/echo', { 'content-type': 'application/merge-patch+json' }, null),
  node: nodeToSend,
  nodeRead: ['learned later', '2024-02-29T21:59:59.123456Z', 'Circle', 1.5, 7, 5, true],
  values: ['a', 1, ['b', [2]], { kind: 'x', radius: 2 }],
  /** Whether each could be read. */
  readings: readings.map(([, isRead]) => isRead),
  /** Each as it is written again: a field that the chosen type does not know is gone. */
  alike: [{ code: 1, message: 'hi' }, { name: 'n' }, {}, { code: 2, message: 'most' }, { name: 'n' }],
  sendAlike: echo('POST /v1/echo', { 'content-type': 'application/json' }, [{ code: 1, message: 'x' }, { name: 'n' }]),
  /** How often there is something inside, and what is innermost. */
  deep: [50, 'end'],
  tooDeep: 'decode error',
  login: echo(
    'POST /v1/echo',
    { 'content-type': 'application/x-www-form-urlencoded' },
    'user+name=a+b%26%C3%BC&tag=x&tag=y&ids=1%2C2&piped=1%7C2&where%5Bmax-size%5D=5&where%5Bof%5D%5Bfrom%5D=2024-01-01&meta=%7B%22max-size%22%3A5%7D',
  ),
  upload: echo('POST /v1/echo', { 'content-type': 'multipart/form-data; boundary=BOUNDARY' }, multipart),
  put: echo('PUT /v1/echo', { 'content-type': 'application/octet-stream' }, '\0\xff\r\n'),
  say: echo('POST /v1/echo', { 'content-type': 'text/plain; charset=utf-8' }, '\xc3\xbc'),
  import: '00ff010d0a',
  text: 'grüß dich',
  maybe: null,
  remove: null,
  fail: [404, 'a', '{"code":"gone","secret":"body"}', 'gone', 'GET /fail/{id} was answered with status 404'],
  moved: 302,
  slow: 'time-out',
  dripping: 'time-out',
  unreachable: 'no connection',
  broken: 'the answer to GET /broken at [1].children[0].id: expected an integer, found another text',
  noJson: 'the answer to GET /text: it is not JSON',
  eitherNone: echo('GET /v1/echo'),
  eitherBasic: echo('GET /v1/echo', { authorization: `Basic ${btoa('me:p:w')}` }),
  eitherBoth: echo('GET /v1/echo', { authorization: 'Bearer t', 'x-key': 'k' }),
  eitherKeys: echo('GET /v1/echo?api%20key=q%26', { cookie: 'sid=c' }),
  token: echo('GET /v1/echo', { authorization: 'Bearer t' }),
  /** Nothing of these may reach the server. */
  refused: [
    'header',
    'header beyond ASCII',
    'cookie of two lines is escaped',
    'path ..',
    'path empty',
    'greedy path',
    'token',
  ],
} as const;
