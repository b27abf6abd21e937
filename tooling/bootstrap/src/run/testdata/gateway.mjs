// Stands in for the gateway: a status page and a proxy port. FAKE_GATEWAY_STOP=never ignores SIGTERM.
import { createServer } from 'node:http';

const env = process.env;
const secrets = Object.keys(env).filter((name) => /SECRET_KEYS|ADMIN_PASSWORD|DATABASE_URL/.test(name));
console.log(JSON.stringify({ pid: process.pid, token: env.PORTCULLIS_DATA_PLANE_TOKEN, secrets, msg: 'serving' }));
const answer = (req, res) => {
  if (req.url === '/die') process.exit(7);
  res.end('ok');
};
createServer(answer).listen(Number(env.PORTCULLIS_STATUS_PORT), env.PORTCULLIS_STATUS_HOST);
createServer(answer).listen(Number(env.PORTCULLIS_PROXY_PORT), env.PORTCULLIS_PROXY_HOST);
process.on('SIGTERM', () => process.exit(0));
