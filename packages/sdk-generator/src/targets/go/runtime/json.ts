/** `json.go`: JSON is parsed once, and read from what that gave: missing fields are noticed, and places of errors are known. */
export const jsonFile: string = String.raw`import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"
	"time"
)

// What reads itself from parsed JSON: maps, slices, texts, numbers as json.Number, booleans and nil.
type readable interface {
	readFrom(d *decoding, value any) error
}

// Reads one JSON text. Numbers of unknown types stay exact. Errors never repeat what was read.
func decodeJSON(data []byte, target any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return &DecodeError{Reason: "it is not JSON"}
	}
	if _, err := decoder.Token(); err != io.EOF {
		return &DecodeError{Reason: "it is not JSON"}
	}
	return (&decoding{}).read(value, target)
}

// One text while it is read.
type decoding struct {
	outcomes map[attempt]outcome
}

// Reads a value into what target points to.
func (d *decoding) read(value, target any) error {
	switch target := target.(type) {
	case readable:
		return target.readFrom(d, value)
	case *any:
		*target = value
		return nil
	}
	into := reflect.ValueOf(target).Elem()
	isBytes := into.Kind() == reflect.Slice && into.Type().Elem().Kind() == reflect.Uint8
	switch kind := into.Kind(); {
	case value == nil && (kind == reflect.Pointer || kind == reflect.Slice || kind == reflect.Map):
		into.Set(reflect.Zero(into.Type()))
		return nil
	case kind == reflect.Pointer:
		inner := reflect.New(into.Type().Elem())
		if err := d.read(value, inner.Interface()); err != nil {
			return err
		}
		into.Set(inner)
		return nil
	case kind == reflect.Slice && !isBytes:
		return d.readList(value, into)
	case kind == reflect.Map:
		return d.readMap(value, into)
	}
	return readScalar(value, target)
}

func (d *decoding) readList(value any, into reflect.Value) error {
	items, isList := value.([]any)
	if !isList {
		return &DecodeError{Reason: "expected a list, found " + kindOf(value)}
	}
	list := reflect.MakeSlice(into.Type(), len(items), len(items))
	for index, item := range items {
		if err := d.read(item, list.Index(index).Addr().Interface()); err != nil {
			return below(fmt.Sprintf("[%d]", index), err)
		}
	}
	into.Set(list)
	return nil
}

func (d *decoding) readMap(value any, into reflect.Value) error {
	fields, isObject := value.(map[string]any)
	if !isObject {
		return &DecodeError{Reason: "expected an object, found " + kindOf(value)}
	}
	read := reflect.MakeMapWithSize(into.Type(), len(fields))
	for _, name := range sortedKeys(fields) {
		item := reflect.New(into.Type().Elem())
		if err := d.read(fields[name], item.Interface()); err != nil {
			return below(fmt.Sprintf("[%q]", name), err)
		}
		read.SetMapIndex(reflect.ValueOf(name), item.Elem())
	}
	into.Set(read)
	return nil
}

// RFC 3339, 5.6. What is not in the calendar or on the clock is found by who reads it.
var moment = regexp.MustCompile("^([0-9-]{10}[Tt][0-9:]{8})(?:(\\.[0-9]{1,9})[0-9]*)?([Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$")

// Reads what is neither an object nor a list, as encoding/json does, but for what that takes more or less of than is described.
func readScalar(value, target any) error {
	text, isText := value.(string)
	switch target := target.(type) {
	case *time.Time:
		// Digits below a nanosecond are cut.
		parts := append(moment.FindStringSubmatch(text), "", "", "", "")[:4]
		read, err := time.Parse(time.RFC3339Nano, strings.ToUpper(strings.Join(parts[1:], "")))
		if err != nil {
			return &DecodeError{Reason: "expected a date with time (RFC 3339), found " + another(value)}
		}
		*target = read
		return nil
	case *[]byte:
		// RFC 4648, 4: with padding, and nothing between.
		read, err := base64.StdEncoding.DecodeString(text)
		if err != nil || !isText || strings.ContainsAny(text, "\r\n") {
			return &DecodeError{Reason: "expected bytes in Base64, found " + another(value)}
		}
		*target = read
		return nil
	}
	expected := nameOf(reflect.TypeOf(target))
	switch value.(type) {
	case nil, map[string]any, []any:
		return &DecodeError{Reason: "expected " + expected + ", found " + kindOf(value)}
	}
	data, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(data, target)
	}
	var decode *DecodeError
	var unexpected *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &decode):
		return decode
	case errors.As(err, &unexpected):
		found, _, _ := strings.Cut(unexpected.Value, " ")
		return &DecodeError{Reason: "expected " + expected + ", found another " + found}
	}
	return &DecodeError{Reason: "expected " + expected}
}

func nameOf(kind reflect.Type) string {
	for kind.Kind() == reflect.Pointer || kind.Kind() == reflect.Slice {
		kind = kind.Elem()
	}
	return kind.String()
}

func another(value any) string {
	if _, isText := value.(string); isText {
		return "another text"
	}
	return kindOf(value)
}

func kindOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case string:
		return "a text"
	case bool:
		return "a boolean"
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return "a number"
}

func below(place string, err error) error {
	var decode *DecodeError
	if errors.As(err, &decode) {
		return &DecodeError{Place: place + decode.Place, Reason: decode.Reason}
	}
	return &DecodeError{Place: place, Reason: err.Error()}
}

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

// Reads an object by its members.
func (d *decoding) readObject(value any, members []member) error {
	fields, isObject := value.(map[string]any)
	if !isObject {
		return &DecodeError{Reason: "expected an object, found " + kindOf(value)}
	}
	// What is missing is found before anything is read.
	for _, member := range members {
		value, isThere := fields[member.name]
		switch {
		case !isThere && (member.presence == required || member.presence == requiredOrNull):
			return &DecodeError{Place: "." + member.name, Reason: "the field is missing"}
		case isThere && value == nil && member.presence == required:
			return &DecodeError{Place: "." + member.name, Reason: "must not be null"}
		}
	}
	for _, member := range members {
		value, isThere := fields[member.name]
		if !isThere || value == nil && member.presence == optional {
			// Stays the zero value.
			continue
		}
		if err := d.read(value, member.target); err != nil {
			return below("."+member.name, err)
		}
	}
	return nil
}

// Reads the fields that an object has beside its members.
func readRest[T any](d *decoding, value any, members []member, target *map[string]T) error {
	*target = nil
	isMember := make(map[string]bool, len(members))
	for _, member := range members {
		isMember[member.name] = true
	}
	fields, _ := value.(map[string]any)
	for _, name := range sortedKeys(fields) {
		if isMember[name] {
			continue
		}
		var item T
		if err := d.read(fields[name], &item); err != nil {
			return below("."+name, err)
		}
		if *target == nil {
			*target = make(map[string]T)
		}
		(*target)[name] = item
	}
	return nil
}
`;
