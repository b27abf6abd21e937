/** Classes of the library's namespace and of `Http`. `NAMESPACE` stands for it. */
export const rootClasses: Readonly<Record<string, string>> = {
  Absent: String.raw`/** Stands where a field is absent, in fields that may be null as well. */
enum Absent
{
    case Field;
}
`,
  FilePart: String.raw`/** A file in a form. */
final class FilePart
{
    /** @param string $content the bytes */
    public function __construct(
        public readonly string $content,
        public readonly string $filename = 'file',
        public readonly string $contentType = 'application/octet-stream',
    ) {
    }
}
`,
};

export const httpClasses: Readonly<Record<string, string>> = {
  Request: String.raw`/** What is sent. */
final class Request
{
    /**
     * @param array<string, string> $headers
     * @param float $timeout seconds for all of it, from the connection to the last byte of the answer
     */
    public function __construct(
        public readonly string $method,
        #[\SensitiveParameter]
        public readonly string $url,
        #[\SensitiveParameter]
        public readonly array $headers,
        public readonly ?string $body,
        public readonly float $timeout,
    ) {
    }
}
`,
  Response: String.raw`/** What came back. */
final class Response
{
    /** @param array<string, string> $headers names in lower case; several of one name are joined by commas */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
    ) {
    }
}
`,
  Transport: String.raw`use NAMESPACE\Exception\ConnectionException;

/** What carries requests: a class of your own may use another HTTP client, a proxy, or no network at all. */
interface Transport
{
    /**
     * Redirects must not be followed: they would take credentials to other hosts.
     *
     * @throws ConnectionException where no answer comes, a TimeoutException where it is a matter of time
     */
    public function send(Request $request): Response;
}
`,
  CurlTransport: String.raw`use NAMESPACE\Exception\ConnectionException;
use NAMESPACE\Exception\TimeoutException;

/** The transport that is used where no other is given. It keeps connections open between requests. */
final class CurlTransport implements Transport
{
    private ?\CurlHandle $handle = null;

    /** @param array<int, mixed> $options of curl_setopt_array, for proxies and certificates */
    public function __construct(private readonly array $options = [])
    {
    }

    public function send(Request $request): Response
    {
        $handle = $this->handle ??= curl_init();
        // Options of the request before are forgotten, its connection is not.
        curl_reset($handle);
        $headers = [];
        $lines = array_map(static fn ($name, $value) => "$name: $value", array_keys($request->headers), $request->headers);
        curl_setopt_array($handle, [
            CURLOPT_URL => $request->url,
            CURLOPT_CUSTOMREQUEST => $request->method,
            CURLOPT_HTTPHEADER => [...$lines, 'Expect:'],
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PATH_AS_IS => true,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_TIMEOUT_MS => max(1, (int) ceil($request->timeout * 1000)),
            CURLOPT_HEADERFUNCTION => static function ($_, string $line) use (&$headers): int {
                if (str_starts_with($line, 'HTTP/')) {
                    $headers = [];
                } elseif (str_contains($line, ':')) {
                    [$name, $value] = explode(':', $line, 2);
                    $name = strtolower(trim($name));
                    $headers[$name] = isset($headers[$name]) ? $headers[$name] . ', ' . trim($value) : trim($value);
                }
                return strlen($line);
            },
        ]);
        if ($request->body !== null || in_array($request->method, ['POST', 'PUT', 'PATCH'], true)) {
            curl_setopt($handle, CURLOPT_POSTFIELDS, $request->body ?? '');
            if ($request->body === null) {
                curl_setopt($handle, CURLOPT_HTTPHEADER, [...$lines, 'Expect:', 'Content-Type:']);
            }
        }
        if ($request->method === 'HEAD') {
            curl_setopt($handle, CURLOPT_NOBODY, true);
        }
        curl_setopt_array($handle, $this->options);
        $body = curl_exec($handle);
        if ($body === false) {
            $code = curl_errno($handle);
            // The message of cURL may have the address in it, and that a credential.
            $reason = curl_strerror($code) ?? 'the request failed';
            throw $code === CURLE_OPERATION_TIMEDOUT
                ? new TimeoutException("no answer within $request->timeout seconds", $code)
                : new ConnectionException($reason, $code);
        }
        return new Response(curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $headers, (string) $body);
    }
}
`,
};
