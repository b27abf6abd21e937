/** `pairs.go`: how values stand in addresses, cookies and forms. */
export const pairsFile: string = String.raw`import (
	"fmt"
	"net/url"
	"sort"
	"strings"
	"unicode/utf16"
)

// A pair of a query, a cookie or a form: a name, texts, and what stands between those.
type pair struct {
	name    string
	texts   []string
	between string
}

// The pair as a query or a cookie has it. A comma stays as it is: it is between the texts, and not of them.
func (p pair) encoded() string {
	between := p.between
	if between != "," {
		between = percentEncoded(between)
	}
	return percentEncoded(p.name) + "=" + strings.Join(allEncoded(p.texts), between)
}

// The pairs that a value becomes. Null, and what has nothing in it, is written nowhere. What is in an object, and what the
// specification leaves open: in a deepObject brackets go on for an object and a list repeats its name; else a list repeats its
// name where the fields have pairs of their own, and all others are JSON.
func pairsOf(name string, plain any, style string, isExploded bool) []pair {
	if isNothing(plain) {
		return nil
	}
	isSpread := isExploded || style == "deepObject"
	switch value := plain.(type) {
	case []any:
		texts := textsOf(value)
		if !isSpread && len(texts) > 0 {
			return []pair{{name, texts, betweenItems(style)}}
		}
		var pairs []pair
		for _, text := range texts {
			pairs = append(pairs, pair{name, []string{text}, ""})
		}
		return pairs
	case map[string]any:
		var pairs []pair
		var texts []string
		for _, key := range sortedKeys(value) {
			item := value[key]
			if isNothing(item) {
				continue
			}
			texts = append(texts, key, textOf(item))
			_, isList := item.([]any)
			switch {
			case style == "deepObject":
				pairs = append(pairs, pairsOf(name+"["+key+"]", item, style, true)...)
			case isList:
				pairs = append(pairs, pairsOf(key, item, "form", true)...)
			default:
				pairs = append(pairs, pair{key, []string{textOf(item)}, ""})
			}
		}
		if !isSpread && len(texts) > 0 {
			return []pair{{name, texts, ","}}
		}
		return pairs
	}
	return []pair{{name, []string{textOf(plain)}, ""}}
}

func betweenItems(style string) string {
	switch style {
	case "spaceDelimited":
		return " "
	case "pipeDelimited":
		return "|"
	}
	return ","
}

func isNothing(plain any) bool {
	switch value := plain.(type) {
	case nil:
		return true
	case []any:
		return len(value) == 0
	case map[string]any:
		return len(value) == 0
	}
	return false
}

// The texts of a list, in which null is no item, or the one of another value.
func textsOf(plain any) []string {
	items, isList := plain.([]any)
	if !isList {
		return []string{textOf(plain)}
	}
	var texts []string
	for _, item := range items {
		if item != nil {
			texts = append(texts, textOf(item))
		}
	}
	return texts
}

// Texts as they are, the rest as in JSON.
func textOf(plain any) string {
	if text, isText := plain.(string); isText {
		return text
	}
	data, err := encodeJSON(plain)
	if err != nil {
		return ""
	}
	return string(data)
}

// Escapes all but letters, digits and -._~ (RFC 3986).
func percentEncoded(text string) string {
	return strings.ReplaceAll(url.QueryEscape(text), "+", "%20")
}

func allEncoded(texts []string) []string {
	encoded := make([]string, 0, len(texts))
	for _, text := range texts {
		encoded = append(encoded, percentEncoded(text))
	}
	return encoded
}

// Whether a header can have it: what is beyond ASCII is read in one way or another.
func isHeaderValue(text string) bool {
	return strings.IndexFunc(text, func(c rune) bool { return c < ' ' && c != '\t' || c > '~' }) < 0
}

// JSON with all that is beyond ASCII escaped.
func asciiJSON(text string) string {
	var escaped strings.Builder
	for _, character := range text {
		if character <= '~' {
			escaped.WriteRune(character)
			continue
		}
		for _, unit := range utf16.Encode([]rune{character}) {
			fmt.Fprintf(&escaped, "\\u%04x", unit)
		}
	}
	return escaped.String()
}

func sortedKeys[T any](fields map[string]T) []string {
	keys := make([]string, 0, len(fields))
	for key := range fields {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
`;
