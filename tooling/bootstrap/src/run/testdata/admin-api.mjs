// Stands in for the control plane: the calls that a first start makes, kept in one JSON file, with the rules that matter
// to it (unique names, a token shown once). FAKE_CRASH_ON names a path on which it ends, for interrupted starts.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const file = process.env.PORTCULLIS_DATABASE_URL.slice('sqlite:'.length);
const store = load();
if (store.password === undefined) {
  store.username = process.env.PORTCULLIS_ADMIN_USERNAME;
  store.password = process.env.PORTCULLIS_ADMIN_PASSWORD;
  save();
}
console.log(JSON.stringify({ pid: process.pid, keys: process.env.PORTCULLIS_SECRET_KEYS, msg: 'up' }));

createServer(async (req, res) => {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString('utf8');
  const url = new URL(req.url, 'http://local');
  const path = url.pathname.replace('/api/v1/admin', '');
  if (path === process.env.FAKE_CRASH_ON) {
    console.log(JSON.stringify({ msg: 'the disk is gone' }));
    process.exit(3);
  }
  const [status, answer] = handle(req.method, path, body, url.searchParams);
  store.calls.push(`${req.method} ${path} ${status}`);
  save();
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}).listen(Number(process.env.PORTCULLIS_ADMIN_PORT), process.env.PORTCULLIS_ADMIN_HOST);

process.on('SIGTERM', () => process.exit(0));

function handle(method, path, body, query) {
  if (path === '/ready' || path === '/health') return [200, {}];
  if (path === '/auth/login') {
    const { username, password } = JSON.parse(body);
    return username === store.username && password === store.password ? [200, { access_token: 'jwt' }] : [401, {}];
  }
  if (path === '/config/sync') {
    if (process.env.FAKE_REFUSE) {
      const errors = [{ resource_type: 'routes', name: 'echo', pointer: '/path', message: 'must begin with /.' }];
      return [200, { status: 'failed', validation: { valid: false, errors } }];
    }
    store.bundle = body;
    store.gateways = [{ id: 'g-1', name: 'quickstart' }];
    return [200, { status: 'success' }];
  }
  const family = path.split('/')[1];
  const items = (store[family] ??= []);
  if (method === 'GET') return [200, { items: items.filter((item) => item.name === query.get('name')) }];
  if (method === 'DELETE') {
    store[family] = items.filter((item) => item.id !== path.split('/')[2]);
    return [204, null];
  }
  const record = JSON.parse(body);
  if (items.some((item) => item.name === record.name)) return [409, { detail: 'name exists' }];
  items.push({ id: `id-${items.length}`, ...record });
  return [201, family === 'data-planes' ? { token: `gwdp_${record.gateway_id}` } : {}];
}

function load() {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { calls: [] };
  }
}

function save() {
  writeFileSync(file, JSON.stringify(store));
}
