/**
 * The upstream of the quick start: answers every request with what reached it, as JSON. Listens on 127.0.0.1, port `PORT`
 * (default 8002). It prints nothing.
 */
import { createServer } from 'node:http';

const port = Number(process.env['PORT'] ?? '8002');

/** Bytes of a body that are shown; the rest is read and counted. */
const BODY_SHOWN_MAX = 4096;

const server = createServer((req, res) => {
  let body = '';
  let bodyBytes = 0;
  req.on('data', (chunk) => {
    bodyBytes += chunk.length;
    if (body.length < BODY_SHOWN_MAX) body = (body + chunk.toString('utf8')).slice(0, BODY_SHOWN_MAX);
  });
  req.on('end', () => {
    res.writeHead(200, { 'content-type': 'application/json' });
    const echo = { method: req.method, path: req.url, headers: req.headers, body_bytes: bodyBytes, body };
    res.end(`${JSON.stringify(echo, null, 2)}\n`);
  });
});

server.listen(port, '127.0.0.1');
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
  });
}
