// Checks of the official SDKs in Go. Prints a line of JSON per check. Run by scripts/clients.mjs in a module of its own.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
)

const (
	count   = "Please count to three."
	weather = "How is the weather?"
	claude  = "claude-haiku-4-5"
	gpt     = "gpt-5.2"
)

var ctx = context.Background()

func check(client, name string, run func() error) {
	detail := ""
	if err := run(); err != nil {
		detail = err.Error()
	}
	line, _ := json.Marshal(map[string]any{"client": client, "check": name, "ok": detail == "", "detail": detail})
	fmt.Println(string(line))
}

func has(text, part string, err error) error {
	if err != nil || strings.Contains(text, part) {
		return err
	}
	return fmt.Errorf("%q is not in %q", part, text)
}

func anthropicChecks(base string) {
	client := anthropic.NewClient(anthropicoption.WithAPIKey("sk-fake"), anthropicoption.WithBaseURL(base), anthropicoption.WithMaxRetries(0))
	ask := func(text string) anthropic.MessageNewParams {
		return anthropic.MessageNewParams{
			Model: claude, MaxTokens: 500,
			Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(text))},
		}
	}
	check("anthropic (Go)", "message", func() error {
		got, err := client.Messages.New(ctx, ask(count))
		if err != nil {
			return err
		}
		return has(got.Content[0].Text, "three", nil)
	})
	check("anthropic (Go)", "stream", func() error {
		stream := client.Messages.NewStreaming(ctx, ask(count))
		message := anthropic.Message{}
		for stream.Next() {
			if err := message.Accumulate(stream.Current()); err != nil {
				return err
			}
		}
		if stream.Err() != nil {
			return stream.Err()
		}
		return has(message.Content[0].Text, "three", nil)
	})
	check("anthropic (Go)", "count", func() error {
		got, err := client.Messages.CountTokens(ctx, anthropic.MessageCountTokensParams{Model: claude, Messages: ask(count).Messages})
		if err == nil && got.InputTokens == 0 {
			return errors.New("no tokens")
		}
		return err
	})
	check("anthropic (Go)", "tool and result", func() error {
		params := ask(weather)
		schema := anthropic.ToolInputSchemaParam{Properties: map[string]any{"city": map[string]any{"type": "string"}}, Required: []string{"city"}}
		params.Tools = []anthropic.ToolUnionParam{anthropic.ToolUnionParamOfTool(schema, "get_weather")}
		first, err := client.Messages.New(ctx, params)
		if err != nil {
			return err
		}
		params.Messages = append(params.Messages, first.ToParam())
		for _, block := range first.Content {
			if block.Type == "tool_use" {
				params.Messages = append(params.Messages, anthropic.NewUserMessage(anthropic.NewToolResultBlock(block.ID, "rain", false)))
			}
		}
		second, err := client.Messages.New(ctx, params)
		if err != nil {
			return err
		}
		return has(second.Content[0].Text, "rains", nil)
	})
	check("anthropic (Go)", "refuses a misspelt model", func() error {
		params := ask(count)
		params.Model = "claude-haku-4-5"
		_, err := client.Messages.New(ctx, params)
		var refused *anthropic.Error
		if errors.As(err, &refused) && refused.StatusCode == 404 {
			return nil
		}
		return fmt.Errorf("expected 404, got %v", err)
	})
}

func openaiChecks(base string) {
	client := openai.NewClient(option.WithAPIKey("sk-fake"), option.WithBaseURL(base+"/v1"), option.WithMaxRetries(0))
	text := func(value string) responses.ResponseNewParamsInputUnion {
		return responses.ResponseNewParamsInputUnion{OfString: openai.String(value)}
	}
	chat := openai.ChatCompletionNewParams{Model: gpt, Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(count)}}
	check("openai (Go)", "response", func() error {
		got, err := client.Responses.New(ctx, responses.ResponseNewParams{Model: gpt, Input: text(count)})
		if err != nil {
			return err
		}
		return has(got.OutputText(), "three", nil)
	})
	check("openai (Go)", "response, streamed", func() error {
		stream := client.Responses.NewStreaming(ctx, responses.ResponseNewParams{Model: gpt, Input: text(count)})
		said := ""
		for stream.Next() {
			if event := stream.Current(); event.Type == "response.output_text.delta" {
				said += event.Delta
			}
		}
		return has(said, "three", stream.Err())
	})
	check("openai (Go)", "previous_response_id", func() error {
		tool := responses.ToolParamOfFunction("get_weather", map[string]any{
			"type": "object", "properties": map[string]any{"city": map[string]any{"type": "string"}}, "required": []string{"city"},
		}, false)
		tools := []responses.ToolUnionParam{tool}
		first, err := client.Responses.New(ctx, responses.ResponseNewParams{Model: gpt, Input: text(weather), Tools: tools})
		if err != nil {
			return err
		}
		var outputs responses.ResponseInputParam
		for _, item := range first.Output {
			if item.Type == "function_call" {
				output := responses.ResponseInputItemParamOfFunctionCallOutput("rain")
				output.OfFunctionCallOutput.CallID = openai.String(item.CallID)
				outputs = append(outputs, output)
			}
		}
		second, err := client.Responses.New(ctx, responses.ResponseNewParams{
			Model: gpt, Tools: tools, PreviousResponseID: openai.String(first.ID),
			Input: responses.ResponseNewParamsInputUnion{OfInputItemList: outputs},
		})
		if err != nil {
			return err
		}
		return has(second.OutputText(), "rains", nil)
	})
	check("openai (Go)", "chat", func() error {
		got, err := client.Chat.Completions.New(ctx, chat)
		if err != nil {
			return err
		}
		return has(got.Choices[0].Message.Content, "three", nil)
	})
	check("openai (Go)", "chat, streamed", func() error {
		stream := client.Chat.Completions.NewStreaming(ctx, chat)
		said := ""
		for stream.Next() {
			for _, choice := range stream.Current().Choices {
				said += choice.Delta.Content
			}
		}
		return has(said, "three", stream.Err())
	})
}

func main() {
	anthropicChecks(os.Args[1])
	openaiChecks(os.Args[1])
}
