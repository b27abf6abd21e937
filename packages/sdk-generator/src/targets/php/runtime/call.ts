/** Classes of `Runtime` for calls. `NAMESPACE` stands for the library's. */
export const callClasses: Readonly<Record<string, string>> = {
  Scheme: String.raw`/** A way to show who calls: bearer, basic or apiKey. */
final class Scheme
{
    public function __construct(
        public readonly string $kind,
        public readonly string $place = 'header',
        public readonly string $name = 'Authorization',
    ) {
    }
}
`,
  Call: String.raw`use NAMESPACE\Exception\InvalidValueException;

/** A request in the making. */
final class Call
{
    public string $path = '';

    /** @var list<string> */
    public array $query = [];

    /** @var array<string, string> */
    public array $headers = [];

    /** @var list<string> */
    public array $cookies = [];

    public ?string $body = null;

    /** @param list<list<string>> $security alternatives, each of keys of schemes */
    public function __construct(
        public readonly string $method,
        public readonly string $template,
        public readonly array $security = [],
    ) {
    }

    public function literal(string $text): self
    {
        $this->path .= $text;
        return $this;
    }

    /** A value inside of the path. What would lead to another path is refused. */
    public function inPath(string $name, Codec $codec, mixed $value, string $style = 'simple', bool $isGreedy = false): self
    {
        $encoded = self::encoded($name, $codec, $value);
        if ($style === 'json') {
            $this->path .= rawurlencode(Text::json($encoded));
            return $this;
        }
        $text = implode(',', array_map(static fn ($item) => rawurlencode(Text::of($item)), is_array($encoded) ? $encoded : [$encoded]));
        $text = $isGreedy ? str_replace('%2F', '/', $text) : $text;
        if (array_intersect($isGreedy ? explode('/', $text) : [$text], ['', '.', '..']) !== []) {
            throw new InvalidValueException('must not be empty, . or ..: that would be another path', $name);
        }
        $this->path .= $text;
        return $this;
    }

    public function inQuery(string $name, Codec $codec, mixed $value, string $style = 'form', bool $isExploded = true): self
    {
        if ($value === null) {
            return $this;
        }
        $encoded = self::encoded($name, $codec, $value);
        if ($style === 'json') {
            $this->query[] = rawurlencode($name) . '=' . rawurlencode(Text::json($encoded));
            return $this;
        }
        foreach (Text::pairs($name, $encoded, $style, $isExploded) as [$field, $texts, $between]) {
            // A comma stays as it is: it is between the texts, and not of them.
            $between = $between === ',' ? ',' : rawurlencode($between);
            $this->query[] = rawurlencode($field) . '=' . implode($between, array_map(rawurlencode(...), $texts));
        }
        return $this;
    }

    public function inHeader(string $name, Codec $codec, mixed $value, string $style = 'simple'): self
    {
        if ($value === null) {
            return $this;
        }
        $encoded = self::encoded($name, $codec, $value);
        $text = match (true) {
            $style === 'json' => Text::json($encoded),
            is_array($encoded) => implode(',', array_map(Text::of(...), $encoded)),
            default => Text::of($encoded),
        };
        $this->headers[$name] = Text::header($name, $text);
        return $this;
    }

    public function inCookie(string $name, Codec $codec, mixed $value, string $style = 'form', bool $isExploded = true): self
    {
        if ($value === null) {
            return $this;
        }
        $encoded = self::encoded($name, $codec, $value);
        $items = is_array($encoded) && $style !== 'json' ? $encoded : [$encoded];
        $texts = array_map(static fn ($item) => rawurlencode($style === 'json' ? Text::json($item) : Text::of($item)), $items);
        foreach ($isExploded ? $texts : [implode(',', $texts)] as $text) {
            $this->cookies[] = rawurlencode($name) . "=$text";
        }
        return $this;
    }

    public function withJson(string $mediaType, Codec $codec, mixed $value): self
    {
        return $this->withBody($mediaType, Text::json(self::encoded('body', $codec, $value)));
    }

    public function withForm(string $mediaType, FormObject $form): self
    {
        try {
            return $this->withBody($mediaType, Forms::urlEncoded($form->formFields()));
        } catch (InvalidValueException $exception) {
            throw $exception->below('body');
        }
    }

    public function withMultipart(string $mediaType, FormObject $form): self
    {
        try {
            [$body, $boundary] = Forms::multipart($form->formFields());
        } catch (InvalidValueException $exception) {
            throw $exception->below('body');
        }
        return $this->withBody("$mediaType; boundary=$boundary", $body);
    }

    public function withBody(string $mediaType, string $body): self
    {
        $this->headers['Content-Type'] = $mediaType;
        $this->body = $body;
        return $this;
    }

    private static function encoded(string $name, Codec $codec, mixed $value): mixed
    {
        try {
            return $codec->encode($value);
        } catch (InvalidValueException $exception) {
            throw $exception->below($name);
        }
    }
}
`,
  Sender: String.raw`use NAMESPACE\Exception\ApiException;
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
                $this->credentials[$key] = Text::header((string) $key, $credential);
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
`,
};
