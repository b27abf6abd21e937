/** `values.go`: what values are made of that the language has no type for. */
export const valuesFile: string = String.raw`import (
	"errors"
	"fmt"
	"time"
)

// Ptr gives a pointer to a value, as optional fields want it.
func Ptr[T any](value T) *T {
	return &value
}

// Settable is a field that may be absent, which is its zero value, null, or there.
type Settable[T any] struct {
	isSet bool
	value *T
}

// SetTo makes a field that is there.
func SetTo[T any](value T) Settable[T] {
	return Settable[T]{true, &value}
}

// SetToNull makes a field that is null.
func SetToNull[T any]() Settable[T] {
	return Settable[T]{true, nil}
}

// Get gives the value, and false where the field is absent or null.
func (s Settable[T]) Get() (value T, ok bool) {
	if s.value == nil {
		return value, false
	}
	return *s.value, true
}

// IsSet says whether the field is there, null or not.
func (s Settable[T]) IsSet() bool {
	return s.isSet
}

// IsNull says whether the field is there and null.
func (s Settable[T]) IsNull() bool {
	return s.isSet && s.value == nil
}

// MarshalJSON writes null for a field that is absent, too: objects leave those out.
func (s Settable[T]) MarshalJSON() ([]byte, error) {
	return encodeJSON(s.value)
}

// UnmarshalJSON reads a field that is there.
func (s *Settable[T]) UnmarshalJSON(data []byte) error {
	return decodeJSON(data, s)
}

func (s *Settable[T]) readFrom(d *decoding, value any) error {
	s.isSet, s.value = true, nil
	return d.read(value, &s.value)
}

// Date is a day without a time.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// DateOf gives the day of a time in its own zone.
func DateOf(moment time.Time) Date {
	year, month, day := moment.Date()
	return Date{year, month, day}
}

func (d Date) String() string {
	return fmt.Sprintf("%04d-%02d-%02d", d.Year, int(d.Month), d.Day)
}

// MarshalText writes YYYY-MM-DD.
func (d Date) MarshalText() ([]byte, error) {
	if DateOf(time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC)) != d {
		return nil, errors.New("there is no such day")
	}
	return []byte(d.String()), nil
}

// UnmarshalText reads YYYY-MM-DD.
func (d *Date) UnmarshalText(text []byte) error {
	moment, err := time.Parse("2006-01-02", string(text))
	if err != nil {
		return &DecodeError{Reason: "expected a date (YYYY-MM-DD)"}
	}
	*d = DateOf(moment)
	return nil
}
`;
