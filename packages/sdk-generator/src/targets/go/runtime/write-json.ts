/** `write_json.go`: objects with their exact names, in their order. */
export const writeJsonFile: string = String.raw`import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
)

// An object while it is written, in the order of its fields.
type objectWriter struct {
	buffer bytes.Buffer
	names  map[string]bool
	err    error
}

func (w *objectWriter) field(name string, value any) {
	if w.err != nil {
		return
	}
	if w.names[name] {
		w.err = &InvalidValueError{name, "has a field of its own and cannot be among the additional ones"}
		return
	}
	key, _ := encodeJSON(name)
	data, err := encodeJSON(value)
	if err != nil {
		w.err = err
		return
	}
	if w.names == nil {
		w.names = make(map[string]bool)
		w.buffer.WriteByte('{')
	} else {
		w.buffer.WriteByte(',')
	}
	w.names[name] = true
	w.buffer.Write(key)
	w.buffer.WriteByte(':')
	w.buffer.Write(data)
}

func (w *objectWriter) end() ([]byte, error) {
	if w.err != nil {
		return nil, w.err
	}
	if w.names == nil {
		return []byte("{}"), nil
	}
	w.buffer.WriteByte('}')
	return w.buffer.Bytes(), nil
}

// Adds fields in the order of their names, as maps of encoding/json are written.
func writeRest[T any](w *objectWriter, fields map[string]T) {
	for _, name := range sortedKeys(fields) {
		w.field(name, fields[name])
	}
}

// Writes lists and maps that are nil as empty ones: null is something else.
func encodeJSON(value any) ([]byte, error) {
	v := reflect.ValueOf(value)
	if v.IsValid() && v.Kind() == reflect.Slice && v.IsNil() {
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return []byte("\"\""), nil
		}
		return []byte("[]"), nil
	}
	if v.IsValid() && v.Kind() == reflect.Map && v.IsNil() {
		return []byte("{}"), nil
	}
	// Escapes that HTML would need are left out: some servers and most people trip over them.
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buffer.Bytes(), []byte("\n")), nil
}

// Adds the field that tells which variant of a union an object is, unless it has it.
func withTag(value any, name, tag string) ([]byte, error) {
	data, err := encodeJSON(value)
	if err != nil {
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil || fields == nil {
		return nil, errors.New("only objects have a discriminator")
	}
	if _, isThere := fields[name]; !isThere {
		fields[name], _ = json.Marshal(tag)
	}
	return encodeJSON(fields)
}
`;
