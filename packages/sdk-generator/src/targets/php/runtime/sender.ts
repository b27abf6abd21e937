/** `Sender.php`: credentials, sending, and reading of answers. */
export const senderClass: string = String.raw`use NAMESPACE\Exception\ApiException;
use NAMESPACE\Exception\DecodeException;
use NAMESPACE\Exception\InvalidValueException;
use NAMESPACE\Http\CurlTransport;
use NAMESPACE\Http\Request;
use NAMESPACE\Http\Response;
use NAMESPACE\Http\Transport;

/** Credentials, sending, and reading of answers. */
final class Sender
{
    private readonly string $baseUrl;
    private readonly Transport $transport;

    /** @var array<string, string> */
    private array $headers;

    /** @var array<string, string> credentials by the key of their scheme */
    private array $credentials = [];

    /**
     * @param array<string, Scheme> $schemes
     * @param array<string, string> $apiKeys
     * @param array{string, string}|null $basicAuth
     * @param array<string, string> $headers
     */
    public function __construct(
        string $baseUrl,
        private readonly array $schemes,
        #[\SensitiveParameter] ?string $bearerToken,
        #[\SensitiveParameter] ?string $apiKey,
        #[\SensitiveParameter] array $apiKeys,
        #[\SensitiveParameter] ?array $basicAuth,
        private readonly float $timeout,
        #[\SensitiveParameter] array $headers,
        ?Transport $transport,
        string $userAgent,
    ) {
        $this->baseUrl = self::checkedBaseUrl($baseUrl);
        if (!($timeout > 0)) {
            throw new \InvalidArgumentException('timeout must be a positive number of seconds');
        }
        $this->transport = $transport ?? new CurlTransport();
        $this->headers = ['User-Agent' => $userAgent];
        foreach ($headers as $name => $value) {
            if (preg_match('/^[!#$%&\'*+.^_\x60|~0-9A-Za-z-]+$/D', (string) $name) !== 1) {
                throw new InvalidValueException('is no name of a header', 'headers');
            }
            $this->headers = self::withHeader($this->headers, (string) $name, Text::header((string) $name, $value));
        }
        if (array_diff_key($apiKeys, array_filter($schemes, static fn ($scheme) => $scheme->kind === 'apiKey')) !== []) {
            throw new \InvalidArgumentException('apiKeys has a name that no API key of this API has');
        }
        foreach ($schemes as $key => $scheme) {
            $credential = match ($scheme->kind) {
                'bearer' => $bearerToken === null ? null : "Bearer $bearerToken",
                'basic' => $basicAuth === null ? null : 'Basic ' . base64_encode("$basicAuth[0]:$basicAuth[1]"),
                default => $apiKeys[$key] ?? $apiKey,
            };
            if ($credential !== null) {
                // Elsewhere it is escaped.
                $this->credentials[$key] = $scheme->place === 'header' ? Text::header((string) $key, $credential) : $credential;
            }
        }
    }

    /** @return array<string, string> */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl];
    }

    public function none(Call $call): void
    {
        $this->send($call, null);
    }

    public function json(Call $call, string $accept, Codec $codec, bool $mayBeEmpty): mixed
    {
        $body = $this->send($call, $accept)->body;
        if ($mayBeEmpty && trim($body) === '') {
            return null;
        }
        $operation = "$call->method $call->template";
        try {
            return $codec->decode(json_decode($body, false, 512, JSON_THROW_ON_ERROR));
        } catch (\JsonException) {
            throw new DecodeException('it is not JSON', '', $operation);
        } catch (DecodeException $exception) {
            throw new DecodeException($exception->reason, $exception->place, $operation);
        }
    }

    public function text(Call $call, string $accept): string
    {
        return $this->send($call, $accept)->body;
    }

    private function send(Call $call, ?string $accept): Response
    {
        $headers = $accept === null ? $this->headers : self::withHeader($this->headers, 'Accept', $accept);
        foreach ($call->headers as $name => $value) {
            $headers = self::withHeader($headers, $name, $value);
        }
        [$query, $cookies] = [$call->query, $call->cookies];
        foreach ($this->keysFor($call->security) as $key) {
            $scheme = $this->schemes[$key];
            $credential = $this->credentials[$key];
            match ($scheme->place) {
                'query' => $query[] = rawurlencode($scheme->name) . '=' . rawurlencode($credential),
                'cookie' => $cookies[] = rawurlencode($scheme->name) . '=' . rawurlencode($credential),
                default => $headers = self::withHeader($headers, $scheme->name, $credential),
            };
        }
        if ($cookies !== []) {
            $headers = self::withHeader($headers, 'Cookie', implode('; ', $cookies));
        }
        $url = $this->baseUrl . $call->path . ($query === [] ? '' : '?' . implode('&', $query));
        $response = $this->transport->send(new Request($call->method, $url, $headers, $call->body, $this->timeout));
        if ($response->status < 200 || $response->status > 299) {
            throw new ApiException($call->method, $call->template, $response->status, $response->headers, $response->body);
        }
        return $response;
    }

    /**
     * The first alternative for which there is everything.
     *
     * @param list<list<string>> $security
     * @return list<string>
     */
    private function keysFor(array $security): array
    {
        foreach ($security as $keys) {
            if (array_diff_key(array_flip($keys), $this->credentials) === []) {
                return $keys;
            }
        }
        return [];
    }

    /**
     * @param array<string, string> $headers
     * @return array<string, string>
     */
    private static function withHeader(array $headers, string $name, string $value): array
    {
        $others = array_filter($headers, static fn ($other) => strcasecmp((string) $other, $name) !== 0, ARRAY_FILTER_USE_KEY);
        return [...$others, $name => $value];
    }

    private static function checkedBaseUrl(string $baseUrl): string
    {
        $parts = parse_url($baseUrl);
        if ($parts === false || !in_array($parts['scheme'] ?? '', ['http', 'https'], true) || ($parts['host'] ?? '') === '') {
            throw new \InvalidArgumentException('baseUrl must be an absolute http or https URL');
        }
        if (isset($parts['user']) || isset($parts['query']) || isset($parts['fragment']) || preg_match('/[^\x21-\x7e]/', $baseUrl)) {
            throw new \InvalidArgumentException('baseUrl must have neither credentials, query, fragment nor spaces');
        }
        return rtrim($baseUrl, '/');
    }
}
`;
