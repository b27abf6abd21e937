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
        $text = implode(',', array_map(rawurlencode(...), is_array($encoded) ? Text::list($encoded) : [Text::of($encoded)]));
        $text = $isGreedy ? str_replace('%2F', '/', $text) : $text;
        if (array_intersect($isGreedy ? explode('/', $text) : [$text], ['', '.', '..']) !== []) {
            throw new InvalidValueException('must not be empty, . or ..: that would be another path', $name);
        }
        $this->path .= $text;
        return $this;
    }

    public function inQuery(string $name, Codec $codec, mixed $value, string $style = 'form', bool $isExploded = true): self
    {
        array_push($this->query, ...self::pairs($name, $codec, $value, $style, $isExploded));
        return $this;
    }

    public function inHeader(string $name, Codec $codec, mixed $value, string $style = 'simple'): self
    {
        if ($value === null) {
            return $this;
        }
        $encoded = self::encoded($name, $codec, $value);
        $texts = match (true) {
            $style === 'json' => [Text::json($encoded, 0)],
            is_array($encoded) => Text::list($encoded),
            default => [Text::of($encoded)],
        };
        if ($texts !== []) {
            $this->headers[$name] = Text::header($name, implode(',', $texts));
        }
        return $this;
    }

    public function inCookie(string $name, Codec $codec, mixed $value, string $style = 'form', bool $isExploded = true): self
    {
        array_push($this->cookies, ...self::pairs($name, $codec, $value, $style, $isExploded));
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

    /** @return list<string> escaped */
    private static function pairs(string $name, Codec $codec, mixed $value, string $style, bool $isExploded): array
    {
        $pairs = [];
        foreach ($value === null ? [] : Text::pairs($name, self::encoded($name, $codec, $value), $style, $isExploded) as $pair) {
            [$field, $texts, $between] = $pair;
            // A comma stays as it is: it is between the texts, and not of them.
            $between = $between === ',' ? ',' : rawurlencode($between);
            $pairs[] = rawurlencode($field) . '=' . implode($between, array_map(rawurlencode(...), $texts));
        }
        return $pairs;
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
};
