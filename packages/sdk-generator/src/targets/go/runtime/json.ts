/** `json.go`: objects by their exact names, in which missing fields are noticed and places of errors are known. */
export const jsonFile: string = String.raw`import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// How a field of an object may be missing.
type presence int

const (
	required presence = iota
	requiredOrNull
	optional
	settable
)

// A field of an object and where its value goes.
type member struct {
	name     string
	presence presence
	target   any
}

// Reads an object, and gives the fields that are none of the members.
func readObject(data []byte, members ...member) (map[string]json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if err := decodeJSON(data, &fields); err != nil || fields == nil {
		return nil, &DecodeError{Reason: "expected an object, found " + kindOf(data)}
	}
	for _, member := range members {
		value, isThere := fields[member.name]
		isNull := isThere && string(bytes.TrimSpace(value)) == "null"
		switch {
		case !isThere && (member.presence == required || member.presence == requiredOrNull):
			return nil, &DecodeError{Place: "." + member.name, Reason: "the field is missing"}
		case isNull && member.presence == required:
			return nil, &DecodeError{Place: "." + member.name, Reason: "must not be null"}
		case !isThere || isNull && member.presence == optional:
			// Stays the zero value.
		default:
			if err := decodeJSON(value, member.target); err != nil {
				return nil, below("."+member.name, err)
			}
		}
		delete(fields, member.name)
	}
	return fields, nil
}

// Reads the fields that an object has beside its members.
func readRest[T any](fields map[string]json.RawMessage, target *map[string]T) error {
	*target = nil
	for name, data := range fields {
		var value T
		if err := decodeJSON(data, &value); err != nil {
			return below("."+name, err)
		}
		if *target == nil {
			*target = make(map[string]T)
		}
		(*target)[name] = value
	}
	return nil
}

func below(place string, err error) error {
	var decode *DecodeError
	if errors.As(err, &decode) {
		return &DecodeError{Place: place + decode.Place, Reason: decode.Reason}
	}
	return &DecodeError{Place: place, Reason: err.Error()}
}

// Reads one JSON text. Numbers of unknown types stay exact. Errors never repeat what was read.
func decodeJSON(data []byte, target any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	err := decoder.Decode(target)
	if err == nil {
		if _, err = decoder.Token(); err == io.EOF {
			return nil
		}
		return &DecodeError{Reason: "it is not JSON"}
	}
	var decode *DecodeError
	var unexpected *json.UnmarshalTypeError
	switch {
	case errors.As(err, &decode):
		return decode
	case errors.As(err, &unexpected):
		found, _, _ := strings.Cut(unexpected.Value, " ")
		return &DecodeError{Reason: fmt.Sprintf("expected %s, found another %s", nameOf(unexpected.Type), found)}
	case !json.Valid(data):
		return &DecodeError{Reason: "it is not JSON"}
	}
	return &DecodeError{Reason: "expected " + nameOf(reflect.TypeOf(target).Elem())}
}

func nameOf(kind reflect.Type) string {
	for kind.Kind() == reflect.Pointer || kind.Kind() == reflect.Slice {
		kind = kind.Elem()
	}
	return kind.String()
}

func kindOf(data []byte) string {
	text := strings.TrimSpace(string(data))
	if text == "" {
		return "nothing"
	}
	switch text[0] {
	case 'n':
		return "null"
	case '"':
		return "a text"
	case '[':
		return "a list"
	case 't', 'f':
		return "a boolean"
	}
	return "a number"
}

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

// The text of a field that tells which variant an object is.
func tagOf(data []byte, name string) string {
	var fields map[string]json.RawMessage
	var tag string
	if json.Unmarshal(data, &fields) == nil {
		_ = json.Unmarshal(fields[name], &tag)
	}
	return tag
}

// Reads a variant of a union where the value fits.
func readVariant[T any](data []byte, target **T) bool {
	value := new(T)
	if string(bytes.TrimSpace(data)) == "null" || decodeJSON(data, value) != nil {
		return false
	}
	*target = value
	return true
}

// Reads a variant that is an enum, where the value is one that the description names.
func readKnown[T comparable](data []byte, target **T, known ...T) bool {
	var found *T
	if !readVariant(data, &found) {
		return false
	}
	for _, value := range known {
		if *found == value {
			*target = found
			return true
		}
	}
	return false
}
`;
