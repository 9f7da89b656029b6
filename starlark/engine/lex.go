package engine

import (
	"strings"
	"unicode/utf8"
)

type tokenKind byte

const (
	tokName tokenKind = iota
	tokNumber
	tokString
	tokOp
	tokNewline
	tokOther
)

// A token is what a reader sees, not what the parser accepts: it serves error ranges and hints, so it must read
// Python that is not Starlark as well. Offsets are bytes.
type token struct {
	kind       tokenKind
	start, end int
	prefix     string // letters before a string's quote, lower case
	open       bool   // a string that never ends
}

var longOps = []string{"**=", "//=", "<<=", ">>=", "===", "!==", "...", "**", "//", "<<", ">>", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "->", ":=", "&&", "||", "++", "--", "<>", "@="}

func isNameStart(c byte) bool {
	return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= utf8.RuneSelf
}
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// lex splits a text into tokens; comments and blanks are left out.
func lex(text string) []token {
	var out []token
	for i := 0; i < len(text); {
		c := text[i]
		start := i
		switch {
		case c == ' ' || c == '\t' || c == '\f':
			i++
			continue
		case c == '\\' && i+1 < len(text) && (text[i+1] == '\n' || text[i+1] == '\r'):
			i += 2
			continue
		case c == '#':
			for i < len(text) && text[i] != '\n' && text[i] != '\r' {
				i++
			}
			continue
		case c == '\n' || c == '\r':
			i++
			out = append(out, token{kind: tokNewline, start: start, end: i})
			continue
		case isNameStart(c):
			for i < len(text) && (isNameStart(text[i]) || isDigit(text[i])) {
				i++
			}
			prefix := strings.ToLower(text[start:i])
			if i < len(text) && (text[i] == '"' || text[i] == '\'') && i-start <= 2 && strings.Trim(prefix, "rbfu") == "" {
				end, open := lexString(text, i, strings.Contains(prefix, "r"))
				out = append(out, token{kind: tokString, start: start, end: end, prefix: prefix, open: open})
				i = end
				continue
			}
			out = append(out, token{kind: tokName, start: start, end: i})
			continue
		case c == '"' || c == '\'':
			end, open := lexString(text, i, false)
			out = append(out, token{kind: tokString, start: start, end: end, open: open})
			i = end
			continue
		case isDigit(c) || c == '.' && i+1 < len(text) && isDigit(text[i+1]):
			for i < len(text) && (isNameStart(text[i]) || isDigit(text[i]) || text[i] == '.' ||
				(text[i] == '+' || text[i] == '-') && text[i-1]|0x20 == 'e' && !strings.HasPrefix(text[start:], "0x")) {
				i++
			}
			out = append(out, token{kind: tokNumber, start: start, end: i})
			continue
		}
		size := 1
		kind := tokOp
		for _, op := range longOps {
			if strings.HasPrefix(text[i:], op) {
				size = len(op)
				break
			}
		}
		if !strings.ContainsRune("+-*/%&|^<>=!~.,;:()[]{}@", rune(c)) {
			kind = tokOther
			_, size = utf8.DecodeRuneInString(text[i:])
		}
		i += size
		out = append(out, token{kind: kind, start: start, end: i})
	}
	return out
}

// lexString returns the end of the string whose quote is at i.
func lexString(text string, i int, raw bool) (end int, open bool) {
	quote := text[i : i+1]
	triple := strings.HasPrefix(text[i:], quote+quote+quote)
	if triple {
		quote = quote + quote + quote
	}
	for i += len(quote); i < len(text); {
		switch {
		case strings.HasPrefix(text[i:], quote):
			return i + len(quote), false
		case text[i] == '\\' && i+1 < len(text) && (!raw || text[i+1] == quote[0] || text[i+1] == '\\'):
			i += 2
		case !triple && (text[i] == '\n' || text[i] == '\r'):
			return i, true
		default:
			i++
		}
	}
	return len(text), true
}

func (t token) text(source string) string { return source[t.start:t.end] }

// longestChain is the largest number of operators that nest into one another without a bracket or comma between
// them. The parser recurses once per operator, and in WebAssembly a few thousand of them exhaust the stack.
func longestChain(text string, tokens []token) (longest int, at token) {
	counts := []int{0}
	for _, t := range tokens {
		top := len(counts) - 1
		word := t.text(text)
		switch {
		case t.kind == tokNewline:
			if top == 0 {
				counts[0] = 0
			}
			continue
		case t.kind == tokName:
			switch word {
			case "and", "or", "not", "in", "if", "else", "lambda", "for", "is":
				counts[top]++
			case "elif":
				counts[top] = 0
			}
		case t.kind == tokOp:
			switch word {
			case "(", "[", "{":
				counts = append(counts, counts[top]+1)
				top++
			case ")", "]", "}":
				if top > 0 {
					counts = counts[:top]
					top--
					counts[top]++
				}
			case ",", ";", "=":
				base := 0
				if top > 0 {
					base = counts[top-1] + 1
				}
				counts[top] = base
			case ":":
			default:
				counts[top]++
			}
		}
		if counts[top] > longest {
			longest, at = counts[top], t
		}
	}
	return longest, at
}
