/** `unions.go`: which of several types a value is. */
export const unionsFile: string = String.raw`import (
	"reflect"
	"sort"
)

// One type of a union.
type variant struct {
	// The field of the union: a pointer to a pointer.
	target any
	// The values of the discriminator that stand for it.
	tags []string
	// The fields that an object of it knows.
	names []string
	// The values of an enum: any other may be meant for the types after it.
	known any
}

// A union that is tried for a list or an object, which is told by where its content is.
type attempt struct {
	union   reflect.Type
	content uintptr
	length  int
}

type outcome struct {
	union any
	err   error
}

// Reads a union once for each value: who tries each of its types with what is inside, on each level, never ends.
func readUnion[U any](d *decoding, value any, union *U, discriminator string, variants ...variant) error {
	key := attempt{union: reflect.TypeOf(union)}
	switch content := reflect.ValueOf(value); content.Kind() {
	case reflect.Map, reflect.Slice:
		key.content, key.length = content.Pointer(), content.Len()
	}
	if key.length == 0 {
		return d.tryVariants(value, discriminator, variants)
	}
	known, isKnown := d.outcomes[key]
	if !isKnown {
		err := d.tryVariants(value, discriminator, variants)
		known = outcome{*union, err}
		if d.outcomes == nil {
			d.outcomes = make(map[attempt]outcome)
		}
		d.outcomes[key] = known
	}
	*union = known.union.(U)
	return known.err
}

// The field that tells counts first, then what fits and knows most of the value's fields, and of equals what demands most.
func (d *decoding) tryVariants(value any, discriminator string, variants []variant) error {
	fields, _ := value.(map[string]any)
	if tag, isText := fields[discriminator].(string); isText {
		for _, variant := range variants {
			for _, known := range variant.tags {
				if known == tag {
					return d.read(value, variant.target)
				}
			}
		}
	}
	knowledge := func(index int) (count int) {
		for _, name := range variants[index].names {
			if _, isThere := fields[name]; isThere {
				count++
			}
		}
		return count
	}
	sort.SliceStable(variants, func(i, j int) bool { return knowledge(i) > knowledge(j) })
	for _, onlyKnown := range []bool{true, false} {
		for _, variant := range variants {
			if value == nil || !onlyKnown && variant.known == nil || d.read(value, variant.target) != nil {
				continue
			}
			if !onlyKnown || variant.isKnown() {
				return nil
			}
			field := reflect.ValueOf(variant.target).Elem()
			field.Set(reflect.Zero(field.Type()))
		}
	}
	return &DecodeError{Reason: "expected one of several types, found " + kindOf(value)}
}

// Whether what was read is a value that the description names.
func (v variant) isKnown() bool {
	if v.known == nil {
		return true
	}
	known, found := reflect.ValueOf(v.known), reflect.ValueOf(v.target).Elem().Elem()
	for index := 0; index < known.Len(); index++ {
		if known.Index(index).Interface() == found.Interface() {
			return true
		}
	}
	return false
}
`;
