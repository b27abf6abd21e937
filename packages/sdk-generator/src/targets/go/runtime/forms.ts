/** `forms.go`: bodies of forms, multipart and URL-encoded. */
export const formsFile: string = String.raw`import (
	"errors"
	"io"
	"mime/multipart"
	"net/textproto"
	"net/url"
	"strings"
)

// FilePart is a file in a form.
type FilePart struct {
	// Name is file where it is empty.
	Name string
	// ContentType is the one of the description, or application/octet-stream, where it is empty.
	ContentType string
	Content     io.Reader
}

// A field of a form: a text or JSON value, or files.
type formField struct {
	name        string
	kind        string
	contentType string
	style       string
	isExploded  bool
	value       any
	files       []FilePart
}

func urlEncoded(fields []formField) (string, error) {
	var pairs []string
	add := func(name, text string) { pairs = append(pairs, formEncoded(name)+"="+formEncoded(text)) }
	for _, field := range fields {
		data, err := encodeJSON(field.value)
		if err != nil {
			return "", err
		}
		if field.kind == "file" {
			return "", errors.New("files need a multipart form")
		}
		if field.kind == "json" {
			add(field.name, string(data))
			continue
		}
		var plain any
		if err := decodeJSON(data, &plain); err != nil {
			return "", err
		}
		for _, pair := range pairsOf(field.name, plain, field.style, field.isExploded) {
			add(pair.name, strings.Join(pair.texts, pair.between))
		}
	}
	return strings.Join(pairs, "&"), nil
}

// Writes all parts and gives the boundary between them.
func writeMultipart(writer io.Writer, fields []formField) (string, error) {
	form := multipart.NewWriter(writer)
	for _, field := range fields {
		if err := writeField(form, field); err != nil {
			return "", err
		}
	}
	return form.Boundary(), form.Close()
}

func writeField(form *multipart.Writer, field formField) error {
	for _, file := range field.files {
		name, contentType := file.Name, file.ContentType
		if name == "" {
			name = "file"
		}
		if contentType == "" {
			contentType = field.contentType
		}
		if contentType == "" {
			contentType = "application/octet-stream"
		}
		if file.Content == nil {
			return errors.New("a file has no content")
		}
		if err := writePart(form, field.name, "; filename=\""+quoted(name)+"\"", contentType, file.Content); err != nil {
			return err
		}
	}
	if field.kind == "file" {
		return nil
	}
	data, err := encodeJSON(field.value)
	if err != nil {
		return err
	}
	var plain any
	if err := decodeJSON(data, &plain); err != nil {
		return err
	}
	items, isList := plain.([]any)
	if !isList {
		items = []any{plain}
	}
	for _, item := range items {
		if item == nil && field.kind == "text" {
			continue
		}
		text := textOf(item)
		if field.kind == "json" {
			if itemText, isText := item.(string); isText {
				encoded, _ := encodeJSON(itemText)
				text = string(encoded)
			}
		}
		if err := writePart(form, field.name, "", field.contentType, strings.NewReader(text)); err != nil {
			return err
		}
	}
	return nil
}

func writePart(form *multipart.Writer, name, more, contentType string, content io.Reader) error {
	header := make(textproto.MIMEHeader)
	header.Set("Content-Disposition", "form-data; name=\""+quoted(name)+"\""+more)
	if contentType != "" {
		if !isHeaderValue(contentType) {
			return errors.New("a content type has characters that no header has")
		}
		header.Set("Content-Type", contentType)
	}
	part, err := form.CreatePart(header)
	if err != nil {
		return err
	}
	_, err = io.Copy(part, content)
	return err
}

func quoted(name string) string {
	return strings.NewReplacer("\"", "%22", "\r", "%0D", "\n", "%0A").Replace(name)
}

func formEncoded(text string) string {
	return strings.NewReplacer("%2A", "*", "~", "%7E").Replace(url.QueryEscape(text))
}
`;
