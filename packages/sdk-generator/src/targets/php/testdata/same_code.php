<?php

// Reads [[files], [files], ...] and says where libraries differ from the first one in more than their texts.

declare(strict_types=1);

/** The tokens of a file, without what literals and comments say. */
function shapeOf(string $path, string $text): string
{
    if (!str_ends_with($path, '.php')) {
        return json_encode(array_keys((array) json_decode($text, true)));
    }
    $shape = '';
    foreach (PhpToken::tokenize($text, TOKEN_PARSE) as $token) {
        if (!$token->is([T_COMMENT, T_DOC_COMMENT, T_WHITESPACE])) {
            $shape .= $token->getTokenName() . ' ' . ($token->is(T_CONSTANT_ENCAPSED_STRING) ? '' : $token->text) . "\n";
        }
    }
    return $shape;
}

$libraries = json_decode(stream_get_contents(STDIN), true, 512, JSON_THROW_ON_ERROR);
$first = $texts = [];
foreach ($libraries as $index => $files) {
    foreach ($files as $file) {
        ['path' => $path, 'text' => $text] = $file;
        if ($index === 0) {
            [$first[$path], $texts[$path]] = [shapeOf($path, $text), $text];
        } elseif ($text !== $texts[$path] && shapeOf($path, $text) !== $first[$path]) {
            // Most files hold no text of the description.
            echo "library $index differs in $path\n";
        }
    }
}
echo count($libraries), " libraries\n";
