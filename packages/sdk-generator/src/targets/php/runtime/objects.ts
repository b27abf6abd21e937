/** Classes of `Runtime` that read and write objects. `NAMESPACE` stands for the library's. */
export const objectClasses: Readonly<Record<string, string>> = {
  JsonObject: String.raw`/** A type that is an object in JSON. */
interface JsonObject extends \JsonSerializable
{
    /** The fields that it knows, where it is one type of a union. */
    public const WIRE_NAMES = [];

    /** Reads what json_decode gave with objects as stdClass. */
    public static function fromJson(mixed $value): self;

    public function jsonSerialize(): \stdClass;
}
`,
  ObjectReader: String.raw`use NAMESPACE\Absent;
use NAMESPACE\Exception\DecodeException;

/** Reads the fields of one JSON object. */
final class ObjectReader
{
    /** @var array<mixed> */
    private array $fields;

    /** @var array<mixed> */
    private array $known = [];

    public function __construct(mixed $value)
    {
        if (!$value instanceof \stdClass) {
            throw Attempts::failure() ?? new DecodeException('expected an object');
        }
        $this->fields = (array) $value;
    }

    public function required(string $name, Codec $codec): mixed
    {
        if (!array_key_exists($name, $this->fields)) {
            throw Attempts::failure() ?? new DecodeException('the field is missing', ".$name");
        }
        return $this->decode($name, $codec);
    }

    public function optional(string $name, Codec $codec): mixed
    {
        $this->known[$name] = true;
        return isset($this->fields[$name]) ? $this->decode($name, $codec) : null;
    }

    public function settable(string $name, Codec $codec): mixed
    {
        return array_key_exists($name, $this->fields) ? $this->decode($name, $codec) : Absent::Field;
    }

    /**
     * What nobody has asked for.
     *
     * @return array<string, mixed>
     */
    public function rest(Codec $codec): array
    {
        $rest = [];
        foreach (array_keys(array_diff_key($this->fields, $this->known)) as $name) {
            $rest[$name] = $this->decode((string) $name, $codec);
        }
        return $rest;
    }

    private function decode(string $name, Codec $codec): mixed
    {
        $this->known[$name] = true;
        try {
            return Attempts::inside($name, fn () => $codec->decode($this->fields[$name]));
        } catch (DecodeException $exception) {
            throw Attempts::failure() ?? $exception->below(".$name");
        }
    }
}
`,
  ObjectWriter: String.raw`use NAMESPACE\Absent;
use NAMESPACE\Exception\InvalidValueException;

/** Writes the fields of one JSON object. */
final class ObjectWriter
{
    /** @var array<mixed> */
    private array $fields = [];

    public function required(string $name, Codec $codec, mixed $value): void
    {
        try {
            $this->fields[$name] = $codec->encode($value);
        } catch (InvalidValueException $exception) {
            throw $exception->below(".$name");
        }
    }

    public function optional(string $name, Codec $codec, mixed $value): void
    {
        if ($value !== null) {
            $this->required($name, $codec, $value);
        }
    }

    public function settable(string $name, Codec $codec, mixed $value): void
    {
        if ($value !== Absent::Field) {
            $this->required($name, $codec, $value);
        }
    }

    /** @param array<mixed> $values */
    public function rest(Codec $codec, array $values): void
    {
        foreach ($values as $name => $value) {
            if (array_key_exists($name, $this->fields)) {
                throw new InvalidValueException('has a field of its own and cannot be among the additional ones', ".$name");
            }
            $this->required((string) $name, $codec, $value);
        }
    }

    public function toObject(): \stdClass
    {
        return (object) $this->fields;
    }
}
`,
  Text: String.raw`use NAMESPACE\Exception\InvalidValueException;

/** Values as texts of addresses, headers and forms. */
final class Text
{
    /** A JSON value as a parameter has it: texts without quotes, the rest as in JSON. */
    public static function of(mixed $value): string
    {
        return is_string($value) ? $value : self::json($value);
    }

    /** @param int $flags without them all that is beyond ASCII is escaped */
    public static function json(
        mixed $value,
        int $flags = JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_LINE_TERMINATORS,
    ): string {
        try {
            return json_encode($value, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | $flags);
        } catch (\JsonException $exception) {
            throw new InvalidValueException('is no JSON: ' . $exception->getMessage());
        }
    }

    /**
     * The pairs of a query, a cookie or a form that a value becomes.
     *
     * Null, and what has nothing in it, is written nowhere. What is in an object, and what the specification leaves open: in a deepObject
     * brackets go on for an object and a list repeats its name; else a list repeats its name where the fields have pairs of their own, and
     * all others are JSON.
     *
     * @return list<array{string, list<string>, string}> each a name, texts, and what stands between those
     */
    public static function pairs(string $name, mixed $value, string $style, bool $isExploded): array
    {
        if ($style === 'json') {
            return [[$name, [self::json($value)], '']];
        }
        if (self::isNothing($value)) {
            return [];
        }
        $isSpread = $isExploded || $style === 'deepObject';
        if (is_array($value)) {
            $texts = self::list($value);
            if ($isSpread) {
                return array_map(static fn ($text) => [$name, [$text], ''], $texts);
            }
            return $texts === [] ? [] : [[$name, $texts, ['spaceDelimited' => ' ', 'pipeDelimited' => '|'][$style] ?? ',']];
        }
        if (!$value instanceof \stdClass) {
            return [[$name, [self::of($value)], '']];
        }
        $pairs = [];
        $texts = [];
        foreach (array_filter((array) $value, static fn ($item) => !self::isNothing($item)) as $key => $item) {
            array_push($texts, (string) $key, self::of($item));
            array_push($pairs, ...match (true) {
                $style === 'deepObject' => self::pairs("{$name}[$key]", $item, $style, true),
                is_array($item) => self::pairs((string) $key, $item, 'form', true),
                default => [[(string) $key, [self::of($item)], '']],
            });
        }
        return $isSpread ? $pairs : ($texts === [] ? [] : [[$name, $texts, ',']]);
    }

    /**
     * The texts of a list. Null is no item.
     *
     * @param array<mixed> $items
     * @return list<string>
     */
    public static function list(array $items): array
    {
        return array_map(self::of(...), array_values(array_filter($items, static fn ($item) => $item !== null)));
    }

    private static function isNothing(mixed $value): bool
    {
        return $value === null || (($value instanceof \stdClass || is_array($value)) && (array) $value === []);
    }

    /** Refuses what would end a header or begin another one, and what servers read in one way or another. */
    public static function header(string $name, string $value): string
    {
        if (preg_match('/[^\t\x20-\x7e]/', $value) === 1) {
            throw new InvalidValueException('must have visible ASCII characters and spaces only: it is sent in a header', $name);
        }
        return $value;
    }
}
`,
};
