package engine

import (
	"strconv"
	"unicode/utf8"
)

// A small JSON writer. encoding/json would add 170 kB to the compressed module.

type field struct {
	name  string
	value any
}

type object []field

// rawJSON is JSON text that is copied as it is.
type rawJSON string

// toJSON writes nil, bool, string, int, int64, uint64, float64, Range, object, rawJSON and slices of them.
func toJSON(v any) string { return string(appendJSON(nil, v)) }

func appendJSON(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return strconv.AppendBool(b, v)
	case string:
		return appendQuoted(b, v)
	case rawJSON:
		return append(b, v...)
	case int:
		return strconv.AppendInt(b, int64(v), 10)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case uint64:
		return strconv.AppendUint(b, v, 10)
	case float64:
		return strconv.AppendFloat(b, v, 'f', -1, 64)
	case Range:
		return appendJSON(b, object{{"line", v.Line}, {"column", v.Col}, {"endLine", v.EndLine}, {"endColumn", v.EndCol}})
	case object:
		b = append(b, '{')
		for i, f := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendQuoted(b, f.name)
			b = append(b, ':')
			b = appendJSON(b, f.value)
		}
		return append(b, '}')
	case []object:
		return appendList(b, v)
	case []any:
		return appendList(b, v)
	case []string:
		return appendList(b, v)
	case []int:
		return appendList(b, v)
	case []Range:
		return appendList(b, v)
	}
	panic("toJSON: a type that it does not know")
}

func appendList[T any](b []byte, list []T) []byte {
	b = append(b, '[')
	for i, item := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendJSON(b, item)
	}
	return append(b, ']')
}

const hexDigits = "0123456789abcdef"

// appendQuoted writes a JSON string. Bytes that are not UTF-8 become U+FFFD; values of a program are checked before.
func appendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= 0x20 && c != '"' && c != '\\' {
				i++
				continue
			}
			b = append(b, s[from:i]...)
			switch c {
			case '"', '\\':
				b = append(b, '\\', c)
			case '\n':
				b = append(b, '\\', 'n')
			case '\r':
				b = append(b, '\\', 'r')
			case '\t':
				b = append(b, '\\', 't')
			default:
				b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
			}
			i++
			from = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			b = append(b, s[from:i]...)
			b = append(b, "\uFFFD"...)
			i++
			from = i
			continue
		}
		i += size
	}
	b = append(b, s[from:]...)
	return append(b, '"')
}

// cut shortens a text to at most n bytes without splitting a character, and says so.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
