package engine

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.starlark.net/starlark"
)

// Values cross between a program and the host as JSON text that is written and read here. An int keeps all its
// digits, a float always has a point or an exponent, dicts keep their order. What JSON cannot say is refused, with the
// path of the culprit.

// maxDepth also ends a list that contains itself.
const maxDepth = 200

// A pathError names the place in a value, such as `$.x[2]`.
type pathError struct {
	path string
	msg  string
}

func (e *pathError) Error() string { return e.path + ": " + e.msg }

type encoder struct {
	out  []byte
	path []string
}

// encodeValue writes a Starlark value as JSON text.
func encodeValue(v starlark.Value) (string, error) {
	e := encoder{}
	if err := e.value(v); err != nil {
		return "", err
	}
	return string(e.out), nil
}

func (e *encoder) fail(format string, args ...any) error {
	path := "$"
	for i, part := range e.path {
		// A list inside a list inside a list … has a path that nobody reads to its end.
		if i == 8 && len(e.path) > 12 {
			path += "…"
			break
		}
		path += part
	}
	return &pathError{path, fmt.Sprintf(format, args...)}
}

func (e *encoder) text(s string) error {
	if !utf8.ValidString(s) {
		return e.fail("the text is not valid UTF-8 (a string was cut inside a character)")
	}
	e.out = appendQuoted(e.out, s)
	return nil
}

func (e *encoder) value(v starlark.Value) error {
	if len(e.path) > maxDepth {
		return e.fail("nested more than %d levels deep, or contains itself", maxDepth)
	}
	switch v := v.(type) {
	case starlark.NoneType:
		e.out = append(e.out, "null"...)
	case starlark.Bool:
		e.out = strconv.AppendBool(e.out, bool(v))
	case starlark.Int:
		if small, ok := v.Int64(); ok {
			e.out = strconv.AppendInt(e.out, small, 10)
		} else {
			e.out = v.BigInt().Append(e.out, 10)
		}
	case starlark.Float:
		return e.float(float64(v))
	case starlark.String:
		return e.text(string(v))
	case *starlark.Dict:
		return e.dict(v)
	case *starlark.List, starlark.Tuple:
		return e.list(v.(starlark.Iterable))
	default:
		// A range has no exported type of its own.
		if v.Type() == "range" {
			return e.list(v.(starlark.Iterable))
		}
		return e.fail("a %s is not JSON", v.Type())
	}
	return nil
}

func (e *encoder) float(f float64) error {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return e.fail("%s is not JSON", starlark.Float(f))
	}
	start := len(e.out)
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	e.out = strconv.AppendFloat(e.out, f, format, -1, 64)
	if !strings.ContainsAny(string(e.out[start:]), ".e") {
		e.out = append(e.out, ".0"...)
	}
	return nil
}

func (e *encoder) list(v starlark.Iterable) error {
	e.out = append(e.out, '[')
	iter := v.Iterate()
	defer iter.Done()
	var item starlark.Value
	for i := 0; iter.Next(&item); i++ {
		if i > 0 {
			e.out = append(e.out, ',')
		}
		e.path = append(e.path, "["+strconv.Itoa(i)+"]")
		if err := e.value(item); err != nil {
			return err
		}
		e.path = e.path[:len(e.path)-1]
	}
	e.out = append(e.out, ']')
	return nil
}

func (e *encoder) dict(v *starlark.Dict) error {
	e.out = append(e.out, '{')
	for i, item := range v.Items() {
		key, ok := item[0].(starlark.String)
		if !ok {
			return e.fail("a key must be a string, not %s", item[0].Type())
		}
		if i > 0 {
			e.out = append(e.out, ',')
		}
		e.path = append(e.path, keyPath(string(key)))
		if err := e.text(string(key)); err != nil {
			return err
		}
		e.out = append(e.out, ':')
		if err := e.value(item[1]); err != nil {
			return err
		}
		e.path = e.path[:len(e.path)-1]
	}
	e.out = append(e.out, '}')
	return nil
}

func keyPath(key string) string {
	for i, r := range key {
		if !(r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || i > 0 && r >= '0' && r <= '9') {
			return "[" + string(appendQuoted(nil, cut(key, 40))) + "]"
		}
	}
	if key == "" {
		return `[""]`
	}
	return "." + cut(key, 40)
}

type decoder struct {
	text string
	at   int
}

// decodeValue reads JSON text. A number without point and exponent is an int.
func decodeValue(text string) (starlark.Value, error) {
	if !utf8.ValidString(text) {
		return nil, errors.New("JSON is not valid UTF-8")
	}
	d := decoder{text: text}
	v, err := d.value(0)
	if err != nil {
		return nil, err
	}
	if d.space(); d.at < len(d.text) {
		return nil, d.fail("text after the value")
	}
	return v, nil
}

func (d *decoder) fail(msg string) error { return fmt.Errorf("JSON at byte %d: %s", d.at, msg) }

func (d *decoder) space() {
	for d.at < len(d.text) && strings.IndexByte(" \t\r\n", d.text[d.at]) >= 0 {
		d.at++
	}
}

func (d *decoder) take(c byte) bool {
	if d.space(); d.at < len(d.text) && d.text[d.at] == c {
		d.at++
		return true
	}
	return false
}

func (d *decoder) value(depth int) (starlark.Value, error) {
	if depth > maxDepth {
		return nil, d.fail("nested more than " + strconv.Itoa(maxDepth) + " levels deep")
	}
	if d.space(); d.at >= len(d.text) {
		return nil, d.fail("unexpected end")
	}
	switch c := d.text[d.at]; {
	case c == '{':
		return d.dict(depth)
	case c == '[':
		return d.list(depth)
	case c == '"':
		s, err := d.string()
		return starlark.String(s), err
	case c == '-' || isDigit(c):
		return d.number()
	}
	for _, word := range constants {
		if strings.HasPrefix(d.text[d.at:], word.text) {
			d.at += len(word.text)
			return word.value, nil
		}
	}
	return nil, d.fail("unexpected character")
}

var constants = []struct {
	text  string
	value starlark.Value
}{{"null", starlark.None}, {"true", starlark.True}, {"false", starlark.False}}

func (d *decoder) list(depth int) (starlark.Value, error) {
	d.at++
	var items []starlark.Value
	if d.take(']') {
		return starlark.NewList(items), nil
	}
	for {
		item, err := d.value(depth + 1)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
		if d.take(']') {
			return starlark.NewList(items), nil
		}
		if !d.take(',') {
			return nil, d.fail("want , or ]")
		}
	}
}

func (d *decoder) dict(depth int) (starlark.Value, error) {
	d.at++
	dict := new(starlark.Dict)
	if d.take('}') {
		return dict, nil
	}
	for {
		if d.space(); d.at >= len(d.text) || d.text[d.at] != '"' {
			return nil, d.fail("want a key")
		}
		key, err := d.string()
		if err != nil {
			return nil, err
		}
		if !d.take(':') {
			return nil, d.fail("want :")
		}
		item, err := d.value(depth + 1)
		if err != nil {
			return nil, err
		}
		if err := dict.SetKey(starlark.String(key), item); err != nil {
			return nil, err
		}
		if d.take('}') {
			return dict, nil
		}
		if !d.take(',') {
			return nil, d.fail("want , or }")
		}
	}
}

func (d *decoder) number() (starlark.Value, error) {
	start := d.at
	for d.at < len(d.text) && (isDigit(d.text[d.at]) || strings.IndexByte("+-.eE", d.text[d.at]) >= 0) {
		d.at++
	}
	word := d.text[start:d.at]
	if strings.ContainsAny(word, ".eE") {
		f, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, d.fail("not a number")
		}
		return starlark.Float(f), nil
	}
	if small, err := strconv.ParseInt(word, 10, 64); err == nil {
		return starlark.MakeInt64(small), nil
	}
	if n, ok := new(big.Int).SetString(word, 10); ok {
		return starlark.MakeBigInt(n), nil
	}
	return nil, d.fail("not a number")
}

func (d *decoder) string() (string, error) {
	d.at++
	start := d.at
	for d.at < len(d.text) && d.text[d.at] != '"' && d.text[d.at] != '\\' {
		d.at++
	}
	if d.at < len(d.text) && d.text[d.at] == '"' {
		d.at++
		return d.text[start : d.at-1], nil
	}
	out := []byte(d.text[start:d.at])
	for d.at < len(d.text) {
		c := d.text[d.at]
		d.at++
		if c == '"' {
			return string(out), nil
		}
		if c != '\\' {
			out = append(out, c)
			continue
		}
		if d.at >= len(d.text) {
			break
		}
		c = d.text[d.at]
		d.at++
		switch c {
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'u':
			r, err := d.escape()
			if err != nil {
				return "", err
			}
			out = utf8.AppendRune(out, r)
		case '"', '\\', '/':
			out = append(out, c)
		default:
			return "", d.fail("unknown escape")
		}
	}
	return "", d.fail("unexpected end of a string")
}

// escape reads the digits of \uXXXX, and a second one if they are a surrogate pair. Half a pair becomes U+FFFD.
func (d *decoder) escape() (rune, error) {
	unit := func(at int) (rune, bool) {
		if at+4 > len(d.text) {
			return 0, false
		}
		n, err := strconv.ParseUint(d.text[at:at+4], 16, 32)
		return rune(n), err == nil
	}
	high, ok := unit(d.at)
	if !ok {
		return 0, d.fail("want four hex digits")
	}
	d.at += 4
	if high < 0xD800 || high > 0xDFFF {
		return high, nil
	}
	if high < 0xDC00 && strings.HasPrefix(d.text[d.at:], `\u`) {
		if low, ok := unit(d.at + 2); ok && low >= 0xDC00 && low <= 0xDFFF {
			d.at += 6
			return (high-0xD800)<<10 + (low - 0xDC00) + 0x10000, nil
		}
	}
	return utf8.RuneError, nil
}
