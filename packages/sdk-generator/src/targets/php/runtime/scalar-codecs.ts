/** The first part of `Runtime/Codec.php`: what codecs are, and those of single values. */
export const scalarCodecs: string = String.raw`use NAMESPACE\Exception\DecodeException;
use NAMESPACE\Exception\InvalidValueException;

/** One type, both ways: from what json_decode gives with objects as stdClass, and to what json_encode takes. */
final class Codec
{
    /**
     * @param \Closure(mixed): mixed $decode
     * @param \Closure(mixed): mixed $encode
     * @param \Closure(mixed): bool $takes whether a value of a program is of this type, without a look into it
     * @param (\Closure(mixed): bool)|null $fits the same with a look into it
     * @param (\Closure(mixed): int)|null $knows how much of a JSON value the description names: fields of an object, for example
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

    /** RFC 3339. Digits below a microsecond are cut. */
    public static function dateTime(): self
    {
        $pattern = '/^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(\.\d{1,6})?(?<=\d)\d*([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/D';
        return new self(
            'a DateTimeInterface',
            static fn ($value) => self::moment($value, $pattern, 'a date with time (RFC 3339)'),
            static fn (\DateTimeInterface $value) => $value->format('Y-m-d\TH:i:s')
                . rtrim(rtrim($value->format('.u'), '0'), '.')
                . str_replace('+00:00', 'Z', $value->format('P')),
            static fn ($value) => $value instanceof \DateTimeInterface,
        );
    }

    /** RFC 4648, 4: with padding, and nothing between. */
    public static function base64(): self
    {
        return new self(
            'a text of bytes',
            static function ($value) {
                $isWhole = is_string($value) && strlen($value) % 4 === 0 && preg_match('~[^A-Za-z0-9+/=]~', $value) === 0;
                $bytes = $isWhole ? base64_decode($value, true) : false;
                return $bytes === false ? self::unexpected('bytes in Base64', $value) : $bytes;
            },
            static fn (string $value) => base64_encode($value),
            is_string(...),
        );
    }

`;
