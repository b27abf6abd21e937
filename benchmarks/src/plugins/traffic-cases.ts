import { isIPv4 } from 'node:net';
import type { CaseParts } from './plugin-case.ts';
import { usual } from './usual-headers.ts';

const wide = { limit: 100_000_000, window_seconds: 3600 };

/** Networks of which one holds the address that the requests come from. */
const networks: readonly string[] = [
  ...Array.from({ length: 9_999 }, (_, at) => `10.${at >> 8}.${at & 255}.0/24`),
  '192.0.2.0/24',
];

/** What lists of known bots look like. */
const bots = Array.from({ length: 100 }, (_, at) => `(?:crawl|spider|scrap)er-${at}/\\d+`);

const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

const cacheable = ['content-type', 'application/json', 'cache-control', 'max-age=3600'];

/** Cases of access, limits and routing, by plugin. What has a part in responses runs them too, and the end of the exchange. */
export const trafficCases: Readonly<Record<string, () => CaseParts>> = {
  acl_control: () => ({
    config: { allowed_groups: ['gold', 'silver'], allowed_users: ['acme', 'globex'] },
    headers: usual,
    consumer: Object.freeze({ id: 'c1', username: 'acme', groups: Object.freeze(['eu', 'gold']) }),
  }),
  advanced_rate_limiter: () => ({ config: { ...wide, cost: 2, include_method: true }, headers: usual }),
  bot_detection_basic: () => ({
    config: { user_agent_deny_patterns: bots, user_agent_allow_patterns: ['^Googlebot/'] },
    headers: ['user-agent', browser, ...usual.filter((_part, at) => at < 2 || at > 3)],
  }),
  canary_shadow_traffic: () => ({
    config: { canary_percentage: 50, canary_upstream_url: 'https://canary.example.com' },
    headers: usual,
  }),
  forward_proxy: () => ({ config: { forward_url: 'https://partner.example.com/v2' }, headers: usual }),
  ip_blacklist: () => ({ config: { blocked_ips: networks.filter((one) => !one.startsWith('192.')) }, headers: usual }),
  ip_whitelist: () => ({ config: { allowed_ips: networks }, headers: usual }),
  mock_response: () => ({ config: { body: { orders: [] } }, headers: usual, ends: 'respond' }),
  redirect: () => ({
    config: { url: 'https://new.example.com/shop', preserve_path: true, preserve_query: true },
    headers: usual,
    query: 'page=2',
    ends: 'respond',
  }),
  response_cache: () => ({
    config: { ttl_seconds: 3600 },
    headers: usual,
    isWhole: true,
    answer: cacheable,
    before: 1,
    ends: 'respond',
  }),
  response_rate_limiter: () => ({
    config: { ...wide, cost_header: 'x-cost' },
    headers: usual,
    isWhole: true,
    answer: ['content-type', 'application/json', 'x-cost', '3'],
  }),
  service_protection: () => ({
    config: { max_concurrent_requests: 1000, failure_threshold: 20 },
    headers: usual,
    isWhole: true,
  }),
};

/** Addresses that {@link networks} and lists of one network alike hold, drawn at random. */
export function listedAddresses(count: number): readonly string[] {
  return Array.from({ length: count }, () => {
    const network = networks[Math.floor(Math.random() * 9_999)] ?? '';
    return network.replace('0/24', String(Math.floor(Math.random() * 256)));
  }).filter((address) => isIPv4(address));
}

/** The 10,000 networks. */
export const manyNetworks: readonly string[] = networks;
