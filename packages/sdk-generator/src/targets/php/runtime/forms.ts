/** Classes of `Runtime` for forms. `NAMESPACE` stands for the library's. */
export const formClasses: Readonly<Record<string, string>> = {
  FormObject: String.raw`/** A type that is the body of a form. */
interface FormObject
{
    /** @return list<FormField> */
    public function formFields(): array;
}
`,
  FormField: String.raw`use NAMESPACE\Exception\InvalidValueException;
use NAMESPACE\FilePart;

/** A field of a form: a text or JSON value, as JSON has it, or files. */
final class FormField
{
    private function __construct(
        public readonly string $name,
        public readonly string $kind,
        public readonly mixed $value,
        public readonly ?string $contentType = null,
        public readonly string $style = 'form',
        public readonly bool $isExploded = true,
    ) {
    }

    /** @return list<self> nothing where there is no value */
    public static function text(
        string $name,
        Codec $codec,
        mixed $value,
        ?string $contentType = null,
        string $style = 'form',
        bool $isExploded = true,
    ): array {
        $encoded = $value === null ? null : self::encoded($name, $codec, $value);
        return $value === null ? [] : [new self($name, 'text', $encoded, $contentType, $style, $isExploded)];
    }

    /** @return list<self> */
    public static function json(string $name, Codec $codec, mixed $value, string $contentType): array
    {
        return $value === null ? [] : [new self($name, 'json', self::encoded($name, $codec, $value), $contentType)];
    }

    /**
     * @param FilePart|string|list<FilePart|string>|null $value
     * @return list<self>
     */
    public static function file(string $name, FilePart|string|array|null $value, ?string $contentType = null): array
    {
        return $value === null ? [] : [new self($name, 'file', is_array($value) ? $value : [$value], $contentType)];
    }

    /**
     * @param array<mixed> $values
     * @return list<self>
     */
    public static function rest(Codec $codec, array $values): array
    {
        $fields = [];
        foreach ($values as $name => $value) {
            array_push($fields, ...self::text((string) $name, $codec, $value));
        }
        return $fields;
    }

    private static function encoded(string $name, Codec $codec, mixed $value): mixed
    {
        try {
            return $codec->encode($value);
        } catch (InvalidValueException $exception) {
            throw $exception->below(".$name");
        }
    }
}
`,
  Forms: String.raw`use NAMESPACE\Exception\InvalidValueException;
use NAMESPACE\FilePart;

/** Bodies of forms. */
final class Forms
{
    /** @param list<FormField> $fields */
    public static function urlEncoded(array $fields): string
    {
        $pairs = [];
        $add = static function (string $name, string $text) use (&$pairs): void {
            $pairs[] = self::encoded($name) . '=' . self::encoded($text);
        };
        foreach ($fields as $field) {
            $value = $field->value;
            if ($field->kind === 'file') {
                throw new InvalidValueException('files need a multipart form', ".$field->name");
            }
            $style = $field->kind === 'json' ? 'json' : $field->style;
            foreach (Text::pairs($field->name, $value, $style, $field->isExploded) as [$name, $texts, $between]) {
                $add($name, implode($between, $texts));
            }
        }
        return implode('&', $pairs);
    }

    /**
     * @param list<FormField> $fields
     * @return array{string, string} the body, and the boundary between its parts
     */
    public static function multipart(array $fields): array
    {
        $boundary = bin2hex(random_bytes(24));
        $body = '';
        foreach ($fields as $field) {
            foreach (is_array($field->value) ? $field->value : [$field->value] as $item) {
                $isNothing = $item === null && $field->kind === 'text';
                $body .= $isNothing ? '' : "--$boundary\r\n" . self::part($field, $item) . "\r\n";
            }
        }
        return ["$body--$boundary--\r\n", $boundary];
    }

    private static function part(FormField $field, mixed $item): string
    {
        $head = 'Content-Disposition: form-data; name="' . self::quoted($field->name) . '"';
        if ($field->kind === 'file') {
            $file = is_string($item) ? new FilePart($item, contentType: $field->contentType ?? 'application/octet-stream') : $item;
            if (!$file instanceof FilePart) {
                throw new InvalidValueException('must be a FilePart or bytes, not ' . get_debug_type($item), ".$field->name");
            }
            $type = Text::header($field->name, $file->contentType);
            return "$head; filename=\"" . self::quoted($file->filename) . "\"\r\nContent-Type: $type\r\n\r\n$file->content";
        }
        if ($field->kind === 'json') {
            return "$head\r\nContent-Type: $field->contentType\r\n\r\n" . Text::json($item);
        }
        return $head . ($field->contentType === null ? '' : "\r\nContent-Type: $field->contentType") . "\r\n\r\n" . Text::of($item);
    }

    private static function quoted(string $name): string
    {
        return strtr($name, ['"' => '%22', "\r" => '%0D', "\n" => '%0A']);
    }

    private static function encoded(string $text): string
    {
        return strtr(urlencode($text), ['%2A' => '*', '~' => '%7E']);
    }
}
`,
};
