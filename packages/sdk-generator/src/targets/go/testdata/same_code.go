// Reads [[files], [files], ...] and says where libraries differ from the first one in more than their texts.
package main

import (
	"encoding/json"
	"fmt"
	"go/format"
	"go/scanner"
	"go/token"
	"os"
	"strings"
)

type file struct{ Path, Text string }

// The tokens of a file, without what literals and comments say.
func shapeOf(path, text string) string {
	if !strings.HasSuffix(path, ".go") {
		return ""
	}
	var shape strings.Builder
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile(path, -1, len(text)), []byte(text), func(at token.Position, message string) {
		fmt.Println(at, message)
	}, 0)
	for {
		_, kind, word := s.Scan()
		if kind == token.EOF {
			break
		}
		if kind == token.STRING {
			word = ""
		}
		fmt.Fprintln(&shape, kind, word)
	}
	if formatted, err := format.Source([]byte(text)); err != nil || string(formatted) != text {
		fmt.Println(path, "is not formatted", err)
		fmt.Println(firstDifference(string(formatted), text))
	}
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "//") && line != "//" && !strings.HasPrefix(line, "// ") {
			fmt.Println(path, "has a directive", line)
		}
	}
	return shape.String()
}

func firstDifference(left, right string) string {
	others := strings.Split(right, "\n")
	for index, line := range strings.Split(left, "\n") {
		if index >= len(others) || others[index] != line {
			return fmt.Sprintf("line %d: %q", index+1, line)
		}
	}
	return "at the end"
}

func main() {
	var libraries [][]file
	if err := json.NewDecoder(os.Stdin).Decode(&libraries); err != nil {
		panic(err)
	}
	first, texts := map[string]string{}, map[string]string{}
	for index, files := range libraries {
		for _, file := range files {
			if index == 0 {
				first[file.Path], texts[file.Path] = shapeOf(file.Path, file.Text), file.Text
			} else if file.Text != texts[file.Path] && shapeOf(file.Path, file.Text) != first[file.Path] {
				// Most files hold no text of the description.
				fmt.Println("library", index, "differs in", file.Path)
			}
		}
	}
	fmt.Println(len(libraries), "libraries")
}
