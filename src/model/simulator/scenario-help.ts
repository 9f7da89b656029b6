/** A scenario that explains the format; a test plays it. */
export const SCENARIO_EXAMPLE = `# What the simulated model says. The first matching rule replies. If none matches, the built-in behavior does.
rules:
  # A user asks about the weather. The model thinks, says something, and calls a tool.
  - name: ask the tool
    when:
      contains: weather          # in the last message, ignoring case
      last_role: user            # user: the user wrote; tool: a tool responded
    reply:
      thinking: The tool knows.
      text: Let me look.
      tool_calls:
        - name: get_weather
          input: {location: Bergen}

  # The tool responded.
  - when:
      tool_result_of: get_weather
    reply:
      text: It rains.

  # The provider is overloaded, once.
  - when:
      matches: "(?:hello|hi) there"   # a regular expression for the last message
    reply:
      fault: overloaded
    once: true                   # or times: 3

# What happens if no rule matches: builtin (default), or error, to find gaps in a test.
otherwise: builtin
`;

/** The format in words, for \`lathe sim --help\`. */
export const describeScenario =
  (): string => `A scenario is a YAML file with a list of rules. The first rule that matches the request replies.

  when (all conditions must hold; without any: always)
    contains          text in the last message, ignoring case
    matches           a regular expression for the last message
    system_contains   text in the system prompt
    last_role         user (the user wrote) or tool (a tool responded)
    tool_result_of    the last message has a result of this tool
    model             the request's model
    turn              the number of user messages so far
    nth               the request number since the simulator started
  reply (at least one)
    text, thinking    the text and thinking (thinking only if the request asks for it)
    tool_calls        a list of {name, input}
    stop              max_tokens, refusal or pause_turn
    fault             429 or rate_limit, 529 or overloaded, 500 or server_error, cut, stream_error, slow, hang, refusal,
                      malformed_tool_input, malformed_sse, truncated_json, unknown_block; or {kind, retry_after: SECONDS}
  once: true          the rule replies once;  times: N  N times
  otherwise           if no rule matches: builtin (default) or error

With or without a scenario, the header \`x-lathe-fault: KIND\` asks for a fault in one request.

Example:

${SCENARIO_EXAMPLE.replace(/^(?=.)/gm, '  ')}`;
