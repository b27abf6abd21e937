/** `errors.go`: everything that a call gives back instead of a result. */
export const errorsFile: string = String.raw`import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// APIError is an answer that is no success: any status outside of 200 to 299, redirects among them.
type APIError struct {
	Method string
	// Path is the template of the path: values are left out, since they may be secret.
	Path       string
	StatusCode int
	Header     http.Header
	Body       []byte
}

func (e *APIError) Error() string {
	return fmt.Sprintf("%s %s was answered with status %d", e.Method, e.Path, e.StatusCode)
}

// JSON reads the body as JSON into target.
func (e *APIError) JSON(target any) error {
	return json.Unmarshal(e.Body, target)
}

// RequestError says that no answer came: no connection, no time left, or a context that is done.
type RequestError struct {
	Method string
	Path   string
	Err    error
}

func (e *RequestError) Error() string {
	return fmt.Sprintf("%s %s: %v", e.Method, e.Path, e.Err)
}

// Unwrap gives the cause.
func (e *RequestError) Unwrap() error {
	return e.Err
}

// Timeout says whether it was a matter of time.
func (e *RequestError) Timeout() bool {
	var timed interface{ Timeout() bool }
	return errors.As(e.Err, &timed) && timed.Timeout()
}

// DecodeError says that a good answer is not what the description says.
type DecodeError struct {
	// Operation is the method and the template of the path. It is empty where no call is behind it.
	Operation string
	// Place is where in the answer, such as .pet.name. It is empty for the whole.
	Place  string
	Reason string
}

func (e *DecodeError) Error() string {
	what := "the value"
	if e.Operation != "" {
		what = "the answer to " + e.Operation
	}
	if e.Place != "" {
		what += " at " + e.Place
	}
	return what + ": " + e.Reason
}

// InvalidValueError says that a value cannot be sent. Nothing was.
type InvalidValueError struct {
	// Place is the parameter, or body.
	Place  string
	Reason string
}

func (e *InvalidValueError) Error() string {
	return e.Place + " " + e.Reason
}
`;
