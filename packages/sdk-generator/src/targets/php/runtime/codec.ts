/** `Runtime/Codec.php`: how values become JSON and come from it. */
export const codecClass: string = String.raw`use NAMESPACE\Exception\DecodeException;
use NAMESPACE\Exception\InvalidValueException;

/** One type, both ways: from what json_decode gives with objects as stdClass, and to what json_encode takes. */
final class Codec
{
    /**
     * @param \Closure(mixed): mixed $decode
     * @param \Closure(mixed): mixed $encode
     * @param \Closure(mixed): bool $takes whether a value of a program is of this type, without a look into it
     * @param (\Closure(mixed): bool)|null $fits the same with a look into it
     * @param (\Closure(mixed): bool)|null $knows whether a JSON value is one that the description names
     */
    private function __construct(
        private readonly string $expected,
        private readonly \Closure $decode,
        private readonly \Closure $encode,
        private readonly \Closure $takes,
        private readonly ?\Closure $fits = null,
        private readonly ?\Closure $knows = null,
    ) {
    }

    public function decode(mixed $value): mixed
    {
        return ($this->decode)($value);
    }

    public function encode(mixed $value): mixed
    {
        if (!($this->takes)($value)) {
            throw new InvalidValueException("must be $this->expected, not " . get_debug_type($value));
        }
        return ($this->encode)($value);
    }

    public function accepts(mixed $value): bool
    {
        return ($this->takes)($value) && ($this->fits === null || ($this->fits)($value));
    }

    public static function any(): self
    {
        return new self('anything', static fn ($value) => $value, static fn ($value) => $value, static fn () => true);
    }

    public static function string(): self
    {
        return self::plain('a text', 'is_string');
    }

    public static function boolean(): self
    {
        return self::plain('a boolean', 'is_bool');
    }

    public static function integer(): self
    {
        $isWhole = static fn (mixed $value): bool => is_float($value) && $value === floor($value) && abs($value) < 2 ** 63;
        return new self(
            'an integer',
            static fn ($value) => is_int($value) ? $value : ($isWhole($value) ? (int) $value : self::unexpected('an integer', $value)),
            static fn ($value) => $value,
            is_int(...),
        );
    }

    public static function number(): self
    {
        $isNumber = static fn (mixed $value): bool => is_int($value) || (is_float($value) && is_finite($value));
        return new self(
            'a finite number',
            static fn ($value) => $isNumber($value) ? (float) $value : self::unexpected('a number', $value),
            static fn ($value) => $value,
            $isNumber,
        );
    }

    public static function date(): self
    {
        return new self(
            'a DateTimeInterface',
            static fn ($value) => self::moment($value, '/^(\d{4}-\d{2}-\d{2})$/D', 'a date (YYYY-MM-DD)'),
            static fn (\DateTimeInterface $value) => $value->format('Y-m-d'),
            static fn ($value) => $value instanceof \DateTimeInterface,
        );
    }

    /** RFC 3339. What has no offset counts as UTC; digits below a microsecond are cut. */
    public static function dateTime(): self
    {
        $pattern = '/^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(\.\d{1,6})?\d*([Zz]|[+-]\d{2}:?\d{2})?$/D';
        return new self(
            'a DateTimeInterface',
            static fn ($value) => self::moment($value, $pattern, 'a date with time (RFC 3339)'),
            static fn (\DateTimeInterface $value) => $value->format('Y-m-d\TH:i:s')
                . rtrim(rtrim($value->format('.u'), '0'), '.')
                . str_replace('+00:00', 'Z', $value->format('P')),
            static fn ($value) => $value instanceof \DateTimeInterface,
        );
    }

    public static function base64(): self
    {
        return new self(
            'a text of bytes',
            static function ($value) {
                $bytes = is_string($value) ? base64_decode($value, true) : false;
                return $bytes === false ? self::unexpected('bytes in Base64', $value) : $bytes;
            },
            static fn (string $value) => base64_encode($value),
            is_string(...),
        );
    }

    public static function listOf(self $items): self
    {
        return new self(
            'a list',
            static fn ($value) => is_array($value)
                ? self::each($value, $items->decode(...), static fn ($key) => "[$key]")
                : self::unexpected('a list', $value),
            static fn (array $value) => self::each(array_values($value), $items->encode(...), static fn ($key) => "[$key]"),
            static fn ($value) => is_array($value) && array_is_list($value),
            static fn ($value) => self::allFit($value, $items),
        );
    }

    public static function mapOf(self $values): self
    {
        $place = static fn (int|string $key): string => '[' . json_encode((string) $key, JSON_INVALID_UTF8_SUBSTITUTE) . ']';
        return new self(
            'an array with names',
            static fn ($value) => $value instanceof \stdClass
                ? self::each((array) $value, $values->decode(...), $place)
                : self::unexpected('an object', $value),
            static fn (array $value) => (object) self::each($value, $values->encode(...), $place),
            is_array(...),
            static fn ($value) => self::allFit($value, $values),
        );
    }

    public static function nullable(self $inner): self
    {
        return new self(
            "$inner->expected or null",
            static fn ($value) => $value === null ? null : $inner->decode($value),
            static fn ($value) => $value === null ? null : $inner->encode($value),
            static fn ($value) => $value === null || $inner->accepts($value),
        );
    }

    /** @param class-string<JsonObject> $class */
    public static function object(string $class): self
    {
        return new self(
            "a $class",
            static fn ($value) => $class::fromJson($value),
            static fn (JsonObject $value) => $value->jsonSerialize(),
            static fn ($value) => $value instanceof $class,
        );
    }

    /**
     * A value that the description does not know stays what it is: servers learn new ones.
     *
     * @param class-string<\BackedEnum> $class
     */
    public static function enum(string $class, self $base): self
    {
        $isKnown = static fn (mixed $value): bool => in_array($value, array_column($class::cases(), 'value'), true);
        return new self(
            "a $class",
            static function ($value) use ($class, $base, $isKnown) {
                $plain = $base->decode($value);
                return $isKnown($plain) ? $class::from($plain) : $plain;
            },
            static fn ($value) => $value instanceof \BackedEnum ? $value->value : $value,
            static fn ($value) => $value instanceof $class || $base->accepts($value),
            null,
            $isKnown,
        );
    }

    /**
     * Several types: the field that tells which one counts first, then whatever fits, what demands most before the rest.
     *
     * @param \Closure(): list<array{self, list<string>}> $later asked for when needed: types may contain themselves
     */
    public static function oneOf(?string $discriminator, \Closure $later): self
    {
        return new self(
            'one of the types of this union',
            static function ($value) use ($discriminator, $later) {
                $tag = $discriminator !== null && $value instanceof \stdClass ? ((array) $value)[$discriminator] ?? null : null;
                foreach ($later() as [$codec, $tags]) {
                    if (is_string($tag) && in_array($tag, $tags, true)) {
                        return $codec->decode($value);
                    }
                }
                foreach ([true, false] as $onlyKnown) {
                    foreach ($later() as [$codec]) {
                        // Each is tried once: what is nested would be tried anew on every level.
                        if (($codec->knows === null || ($codec->knows)($value)) !== $onlyKnown) {
                            continue;
                        }
                        try {
                            return $codec->decode($value);
                        } catch (DecodeException) {
                            continue;
                        }
                    }
                }
                return self::unexpected('one of several types', $value);
            },
            static function ($value) use ($discriminator, $later) {
                foreach ($later() as [$codec, $tags]) {
                    if (!$codec->accepts($value)) {
                        continue;
                    }
                    $encoded = $codec->encode($value);
                    if ($discriminator !== null && $tags !== [] && $encoded instanceof \stdClass) {
                        return (object) ((array) $encoded + [$discriminator => $tags[0]]);
                    }
                    return $encoded;
                }
                return null;
            },
            static function ($value) use ($later): bool {
                foreach ($later() as [$codec]) {
                    if ($codec->accepts($value)) {
                        return true;
                    }
                }
                return false;
            },
        );
    }

    private static function plain(string $expected, callable $is): self
    {
        return new self(
            $expected,
            static fn ($value) => $is($value) ? $value : self::unexpected($expected, $value),
            static fn ($value) => $value,
            $is(...),
        );
    }

    /** @param array<mixed> $values */
    private static function allFit(array $values, self $codec): bool
    {
        foreach ($values as $value) {
            if (!$codec->accepts($value)) {
                return false;
            }
        }
        return true;
    }

    /** @param array<mixed> $values */
    private static function each(array $values, \Closure $change, \Closure $place): array
    {
        $changed = [];
        foreach ($values as $key => $value) {
            try {
                $changed[$key] = $change($value);
            } catch (DecodeException | InvalidValueException $exception) {
                throw $exception->below($place($key));
            }
        }
        return $changed;
    }

    private static function moment(mixed $value, string $pattern, string $expected): \DateTimeImmutable
    {
        if (!is_string($value) || preg_match($pattern, $value, $parts, PREG_UNMATCHED_AS_NULL) !== 1) {
            self::unexpected($expected, $value);
        }
        [, $day, $time, $fraction, $offset] = $parts + [2 => null, 3 => null, 4 => null];
        $text = "$day " . ($time ?? '00:00:00') . ($fraction ?? '.0') . strtoupper($offset ?? 'Z');
        $moment = \DateTimeImmutable::createFromFormat('Y-m-d H:i:s.uP', $text);
        // A day that is not in the calendar is moved to another one, with a warning.
        $isReal = $moment !== false && $moment->format('Y-m-d') === $day;
        return $isReal ? $moment : self::unexpected($expected, $value);
    }

    /** Says what a JSON value is without repeating it. */
    private static function unexpected(string $expected, mixed $value): never
    {
        $found = match (true) {
            $value === null => 'null',
            is_bool($value) => 'a boolean',
            is_int($value), is_float($value) => 'a number',
            is_string($value) => 'another text',
            is_array($value) => 'a list',
            default => 'an object',
        };
        throw new DecodeException("expected $expected, found $found");
    }
}
`;
