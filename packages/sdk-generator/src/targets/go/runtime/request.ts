/** `request.go`: a request while its parameters and its body are put into it. */
export const requestFile: string = String.raw`import (
	"bytes"
	"fmt"
	"io"
	"net/http"
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
	text := strings.Join(allEncoded(textsOf(r.plain(name, value))), ",")
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
		r.query = append(r.query, pair.encoded())
	}
}

func (r *request) queryJSON(name string, value any) {
	r.query = append(r.query, percentEncoded(name)+"="+percentEncoded(r.jsonText(name, value)))
}

func (r *request) headerValue(name string, value any) {
	if texts := textsOf(r.plain(name, value)); len(texts) > 0 {
		r.setHeader(name, strings.Join(texts, ","))
	}
}

func (r *request) headerJSON(name string, value any) {
	r.setHeader(name, asciiJSON(r.jsonText(name, value)))
}

func (r *request) setHeader(name, text string) {
	if !isHeaderValue(text) {
		r.refuse(name, "must have visible ASCII characters and spaces only: it is sent in a header")
		return
	}
	r.header.Set(name, text)
}

func (r *request) cookieValue(name string, value any, isExploded bool) {
	for _, pair := range pairsOf(name, r.plain(name, value), "form", isExploded) {
		r.cookies = append(r.cookies, pair.encoded())
	}
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
`;
