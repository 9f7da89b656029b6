/** A scenario that explains the format; a test plays it. */
export const SCENARIO_EXAMPLE = `# What the simulated model says. The first rule that fits replies; where none fits, the built-in behaviour does.
rules:
  # A person asks for the weather: the model thinks, says a word and calls a tool.
  - name: ask the tool
    when:
      contains: weather          # in the last message, upper and lower case alike
      last_role: user            # user: a person spoke; tool: a tool answered
    reply:
      thinking: The tool knows.
      text: Let me look.
      tool_calls:
        - name: get_weather
          input: {location: Bergen}

  # The tool has answered.
  - when:
      tool_result_of: get_weather
    reply:
      text: It rains.

  # The provider is overloaded, once.
  - when:
      matches: "(?:hello|hi) there"   # a regular expression, on the last message
    reply:
      fault: overloaded
    once: true                   # or times: 3

# What happens when no rule fits: builtin (default), or error, to find a hole in a test.
otherwise: builtin
`;

/** The format in words, for \`lathe sim --help\`. */
export const describeScenario =
  (): string => `A scenario is a YAML file with a list of rules. The first rule that fits the request replies.

  when (all that are given must hold; none: always)
    contains          text in the last message, upper and lower case alike
    matches           a regular expression on the last message
    system_contains   text in the system prompt
    last_role         user (a person spoke) or tool (a tool answered)
    tool_result_of    the last message holds the result of this tool
    model             the model of the request
    turn              the number of messages by a person so far
    nth               the number of the request since the simulator started
  reply (at least one)
    text, thinking    what it says and thinks (thinking only where the request asks for it)
    tool_calls        a list of {name, input}
    stop              max_tokens, refusal or pause_turn
    fault             429 or rate_limit, 529 or overloaded, 500 or server_error, cut, stream_error, slow, hang, refusal,
                      malformed_tool_input, malformed_sse, truncated_json, unknown_block; or {kind, retry_after: SECONDS}
  once: true          the rule replies once;  times: N  N times
  otherwise           when no rule fits: builtin (default) or error

Without a scenario, and for any one request, the header \`x-lathe-fault: KIND\` asks for a fault.

Example:

${SCENARIO_EXAMPLE.replace(/^(?=.)/gm, '  ')}`;
