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
};
