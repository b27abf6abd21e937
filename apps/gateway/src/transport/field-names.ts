/** A token: what a field's name, or a method, is made of. Source: RFC 9110, section 5.6.2. */
const token = /^[!#$%&'*+.^`|~\w-]+$/;

/** Names that nearly all messages are made of. A fixed list: one that learned would keep what strangers send. */
const usual = [
  ...['accept', 'accept-charset', 'accept-encoding', 'accept-language', 'accept-ranges', 'age', 'allow', 'alt-svc'],
  ...['authorization', 'cache-control', 'connection', 'content-disposition', 'content-encoding', 'content-language'],
  ...['content-length', 'content-range', 'content-security-policy', 'content-type', 'cookie', 'date', 'dnt', 'etag'],
  ...['expires', 'forwarded', 'host', 'if-match', 'if-modified-since', 'if-none-match', 'keep-alive', 'last-modified'],
  ...['link', 'location', 'origin', 'pragma', 'priority', 'range', 'referer', 'referrer-policy', 'retry-after'],
  ...['sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform', 'sec-fetch-dest', 'sec-fetch-mode', 'sec-fetch-site'],
  ...['server', 'server-timing', 'set-cookie', 'strict-transport-security', 'te', 'traceparent', 'tracestate'],
  ...['trailer', 'transfer-encoding', 'user-agent', 'vary', 'via', 'www-authenticate', 'x-consumer-groups'],
  ...['x-consumer-username', 'x-content-type-options', 'x-correlation-id', 'x-forwarded-for', 'x-forwarded-host'],
  ...['x-forwarded-port', 'x-forwarded-proto', 'x-frame-options', 'x-powered-by', 'x-request-id', 'x-response-time'],
] as const;

/** As HTTP/2 and many clients write them, and as most others do. */
const known: ReadonlySet<string> = new Set([
  ...usual,
  ...usual.map((name) => name.replace(/(?:^|-)[a-z]/g, (first) => first.toUpperCase())),
  ...['ETag', 'TE', 'WWW-Authenticate', 'X-Consumer-ID', 'X-Request-ID'],
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
]);

/** Whether a text is a token. Nearly all are among those that are known. */
export function isToken(text: string): boolean {
  return known.has(text) || token.test(text);
}
