/** `request.go`: a request while its parameters and its body are put into it. */
export const requestFile: string = String.raw`import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sort"
	"strings"
)

type request struct {
	method   string
	template string
	// Alternatives, each of keys of schemes.
	security [][]string
	path     strings.Builder
	query    []string
	header   http.Header
	cookies  []string
	body     io.Reader
	err      error
}

func newRequest(method, template string, security ...[]string) *request {
	return &request{method: method, template: template, security: security, header: make(http.Header)}
}

func (r *request) refuse(place, reason string) {
	if r.err == nil {
		r.err = &InvalidValueError{place, reason}
	}
}

func (r *request) literal(text string) {
	r.path.WriteString(text)
}

// Puts a value into the path. What would lead to another path is refused.
func (r *request) pathValue(name string, value any, isGreedy bool) {
	var texts []string
	plain := r.plain(name, value)
	if items, isList := plain.([]any); isList {
		for _, item := range items {
			texts = append(texts, percentEncoded(textOf(item)))
		}
	} else {
		texts = append(texts, percentEncoded(textOf(plain)))
	}
	text := strings.Join(texts, ",")
	segments := []string{text}
	if isGreedy {
		text = strings.ReplaceAll(text, "%2F", "/")
		segments = strings.Split(text, "/")
	}
	for _, segment := range segments {
		if segment == "" || segment == "." || segment == ".." {
			r.refuse(name, "must not be empty, . or ..: that would be another path")
		}
	}
	r.path.WriteString(text)
}

func (r *request) pathJSON(name string, value any) {
	r.path.WriteString(percentEncoded(r.jsonText(name, value)))
}

func (r *request) queryValue(name string, value any, style string, isExploded bool) {
	for _, pair := range pairsOf(name, r.plain(name, value), style, isExploded) {
		var texts []string
		for _, text := range pair.texts {
			texts = append(texts, percentEncoded(text))
		}
		between := pair.between
		if between != "," {
			// A comma stays as it is: it is between the texts, and not of them.
			between = percentEncoded(between)
		}
		r.query = append(r.query, percentEncoded(pair.name)+"="+strings.Join(texts, between))
	}
}

func (r *request) queryJSON(name string, value any) {
	r.query = append(r.query, percentEncoded(name)+"="+percentEncoded(r.jsonText(name, value)))
}

func (r *request) headerValue(name string, value any) {
	plain := r.plain(name, value)
	text := textOf(plain)
	if items, isList := plain.([]any); isList {
		var texts []string
		for _, item := range items {
			texts = append(texts, textOf(item))
		}
		text = strings.Join(texts, ",")
	}
	r.setHeader(name, text)
}

func (r *request) headerJSON(name string, value any) {
	r.setHeader(name, r.jsonText(name, value))
}

func (r *request) setHeader(name, text string) {
	if hasControls(text) {
		r.refuse(name, "must not have control characters: it is sent in a header")
		return
	}
	r.header.Set(name, text)
}

func (r *request) cookieValue(name string, value any, isExploded bool) {
	key := percentEncoded(name)
	plain := r.plain(name, value)
	items, isList := plain.([]any)
	if !isList {
		items = []any{plain}
	}
	var texts []string
	for _, item := range items {
		texts = append(texts, percentEncoded(textOf(item)))
	}
	if isExploded {
		for _, text := range texts {
			r.cookies = append(r.cookies, key+"="+text)
		}
		return
	}
	r.cookies = append(r.cookies, key+"="+strings.Join(texts, ","))
}

func (r *request) cookieJSON(name string, value any) {
	r.cookies = append(r.cookies, percentEncoded(name)+"="+percentEncoded(r.jsonText(name, value)))
}

func (r *request) jsonBody(mediaType string, value any) {
	r.setBody(mediaType, strings.NewReader(r.jsonText("body", value)))
}

func (r *request) formBody(mediaType string, fields []formField) {
	text, err := urlEncoded(fields)
	if err != nil {
		r.refuse("body", fmt.Sprintf("cannot be sent: %v", err))
	}
	r.setBody(mediaType, strings.NewReader(text))
}

func (r *request) multipartBody(mediaType string, fields []formField) {
	var buffer bytes.Buffer
	boundary, err := writeMultipart(&buffer, fields)
	if err != nil {
		r.refuse("body", fmt.Sprintf("cannot be sent: %v", err))
	}
	r.setBody(mediaType+"; boundary="+boundary, &buffer)
}

func (r *request) setBody(mediaType string, body io.Reader) {
	r.header.Set("Content-Type", mediaType)
	r.body = body
}

// The value as JSON has it: a text, number, boolean, list or map.
func (r *request) plain(name string, value any) any {
	var plain any
	if err := decodeJSON([]byte(r.jsonText(name, value)), &plain); err != nil && r.err == nil {
		r.err = err
	}
	return plain
}

func (r *request) jsonText(name string, value any) string {
	data, err := encodeJSON(value)
	if err != nil {
		r.refuse(name, fmt.Sprintf("cannot be sent: %v", err))
	}
	return string(data)
}

// A pair of a query or a form: a name, texts, and what stands between those.
type pair struct {
	name    string
	texts   []string
	between string
}

// The pairs that a value becomes.
func pairsOf(name string, plain any, style string, isExploded bool) []pair {
	switch value := plain.(type) {
	case map[string]any:
		if style == "deepObject" {
			return deepPairs(name, value)
		}
		var pairs []pair
		var texts []string
		for _, key := range sortedKeys(value) {
			pairs = append(pairs, pairsOf(key, value[key], "form", true)...)
			texts = append(texts, key, textOf(value[key]))
		}
		if isExploded {
			return pairs
		}
		return []pair{{name, texts, ","}}
	case []any:
		var pairs []pair
		var texts []string
		for _, item := range value {
			pairs = append(pairs, pair{name, []string{textOf(item)}, ""})
			texts = append(texts, textOf(item))
		}
		if isExploded {
			return pairs
		}
		between := ","
		switch style {
		case "spaceDelimited":
			between = " "
		case "pipeDelimited":
			between = "|"
		}
		return []pair{{name, texts, between}}
	}
	return []pair{{name, []string{textOf(plain)}, ""}}
}

func deepPairs(name string, plain any) []pair {
	var pairs []pair
	switch value := plain.(type) {
	case map[string]any:
		for _, key := range sortedKeys(value) {
			pairs = append(pairs, deepPairs(name+"["+key+"]", value[key])...)
		}
		return pairs
	case []any:
		for _, item := range value {
			pairs = append(pairs, deepPairs(name, item)...)
		}
		return pairs
	}
	return []pair{{name, []string{textOf(plain)}, ""}}
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

func hasControls(text string) bool {
	return strings.IndexFunc(text, func(c rune) bool { return c < 32 && c != '\t' || c == 127 }) >= 0
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
