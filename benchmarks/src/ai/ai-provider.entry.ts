/**
 * The provider that all peers ask: answers a chat at once, whole or as a stream, and refuses any model but its own. Prints its port.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chatPath, models, streamEvents } from './ai-terms.ts';

const about = { id: 'chatcmpl-bench', created: 1_700_000_000, model: models.upstream };
const usage = { prompt_tokens: 90, completion_tokens: 40, total_tokens: 130 };
const text =
  'The moon pulls at the water that is nearest to it more than at the earth, and at the earth more than at the rest. ';

const whole = Buffer.from(
  JSON.stringify({
    ...about,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: text.repeat(2) }, finish_reason: 'stop' }],
    usage,
  }),
);
const event = (body: object): string =>
  `data: ${JSON.stringify({ ...about, object: 'chat.completion.chunk', ...body })}\n\n`;
const choice = (delta: object, reason: string | null): object => ({
  choices: [{ index: 0, delta, finish_reason: reason }],
  usage: null,
});
const first = Buffer.from(event(choice({ role: 'assistant', content: '' }, null)));
const middle = Array.from({ length: streamEvents }, (_, at) =>
  Buffer.from(event(choice({ content: ` word${at}` }, null))),
);
const last = Buffer.from(`${event(choice({}, 'stop'))}${event({ choices: [], usage })}data: [DONE]\n\n`);

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.once('end', () => {
    const asked = JSON.parse(Buffer.concat(pieces).toString('utf8')) as { model?: unknown; stream?: unknown };
    if (request.url !== chatPath || asked.model !== models.upstream) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"unknown model"}}');
    } else if (asked.stream !== true) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length }).end(whole);
    } else {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(first);
      // In turns of its own, as tokens come: a few pieces, not one.
      let at = 0;
      const next = (): void => {
        for (let sent = 0; sent < 5 && at < middle.length; sent += 1, at += 1) response.write(middle[at]);
        if (at < middle.length) setImmediate(next);
        else response.end(last);
      };
      setImmediate(next);
    }
  });
});

server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.once('SIGTERM', () => process.exit(0));
