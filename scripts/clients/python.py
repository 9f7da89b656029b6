# Checks of the clients in Python. Prints a line of JSON per check. Run by scripts/clients.mjs in the environment where they are installed.
import json, os, sys

base = sys.argv[1]
only = sys.argv[2:] or ["anthropic (Python)", "openai (Python)", "openai-agents (Python)", "LangChain (Python)"]
COUNT, WEATHER = "Please count to three.", "How is the weather?"
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


def check(client, name, run):
    try:
        got = run()
        ok, detail = got is True, "" if got is True else str(got)[:300]
    except Exception as error:
        ok, detail = False, f"{type(error).__name__}: {error}"[:300]
    print(json.dumps({"client": client, "check": name, "ok": ok, "detail": detail}), flush=True)


def has(text, part):
    return True if part in str(text) else f"{part} is not in {text!r}"


def anthropic_checks():
    import anthropic

    client = anthropic.Anthropic(api_key="sk-fake", base_url=base, max_retries=0)
    ask = lambda text: {"model": "claude-haiku-4-5", "max_tokens": 500, "messages": [{"role": "user", "content": text}]}
    tools = [{"name": "get_weather", "description": "Weather", "input_schema": SCHEMA}]

    def stream():
        with client.messages.stream(**ask(COUNT)) as events:
            return has(events.get_final_text(), "three")

    def loop():
        first = client.messages.create(**ask(WEATHER), tools=tools)
        call = next(block for block in first.content if block.type == "tool_use")
        result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call.id, "content": "rain"}]}
        messages = [*ask(WEATHER)["messages"], {"role": "assistant", "content": first.content}, result]
        return has(client.messages.create(model="claude-haiku-4-5", max_tokens=500, tools=tools, messages=messages).content[0].text, "rains")

    check("anthropic (Python)", "message", lambda: has(client.messages.create(**ask(COUNT)).content[0].text, "three"))
    check("anthropic (Python)", "stream", stream)
    check("anthropic (Python)", "tool and result", loop)
    check("anthropic (Python)", "beta", lambda: has(client.beta.messages.create(**ask(COUNT), betas=["context-management-2025-06-27"], context_management={"edits": [{"type": "clear_tool_uses_20250919"}]}).content[0].text, "three"))


def openai_checks():
    import openai

    client = openai.OpenAI(api_key="sk-fake", base_url=f"{base}/v1", max_retries=0)
    model = "gpt-5.2"

    def stream():
        with client.responses.stream(model=model, input=COUNT) as events:
            events.until_done()
            return has(events.get_final_response().output_text, "three")

    def previous():
        tools = [{"type": "function", "name": "get_weather", "description": "Weather", "parameters": SCHEMA, "strict": False}]
        first = client.responses.create(model=model, input=WEATHER, tools=tools)
        call = next(item for item in first.output if item.type == "function_call")
        output = [{"type": "function_call_output", "call_id": call.call_id, "output": "rain"}]
        return has(client.responses.create(model=model, previous_response_id=first.id, tools=tools, input=output).output_text, "rains")

    def chat_stream():
        parts = client.chat.completions.create(model=model, messages=[{"role": "user", "content": COUNT}], stream=True)
        return has("".join(part.choices[0].delta.content or "" for part in parts if part.choices), "three")

    check("openai (Python)", "response", lambda: has(client.responses.create(model=model, input=COUNT).output_text, "three"))
    check("openai (Python)", "response, streamed", stream)
    check("openai (Python)", "previous_response_id", previous)
    check("openai (Python)", "chat", lambda: has(client.chat.completions.create(model=model, messages=[{"role": "user", "content": COUNT}]).choices[0].message.content, "three"))
    check("openai (Python)", "chat, streamed", chat_stream)


def litellm_checks():
    import litellm

    litellm.suppress_debug_info = True
    for name, more in {
        "LiteLLM, Anthropic": {"model": "anthropic/claude-haiku-4-5", "api_base": base},
        "LiteLLM, OpenAI": {"model": "openai/gpt-5.2", "api_base": f"{base}/v1"},
    }.items():
        ask = lambda text, **extra: litellm.completion(messages=[{"role": "user", "content": text}], api_key="sk-fake", **more, **extra)
        check(name, "completion", lambda: has(ask(COUNT).choices[0].message.content, "three"))
        check(name, "stream", lambda: has("".join(part.choices[0].delta.content or "" for part in ask(COUNT, stream=True)), "three"))
        tool = {"type": "function", "function": {"name": "get_weather", "description": "Weather", "parameters": SCHEMA}}
        check(name, "tool", lambda: ask(WEATHER, tools=[tool]).choices[0].message.tool_calls[0].function.name == "get_weather")


def pydantic_checks():
    from pydantic_ai import Agent
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
    from pydantic_ai.providers.anthropic import AnthropicProvider
    from pydantic_ai.providers.openai import OpenAIProvider

    openai = OpenAIProvider(api_key="sk-fake", base_url=f"{base}/v1")
    for name, model in {
        "pydantic-ai, Anthropic": AnthropicModel("claude-haiku-4-5", provider=AnthropicProvider(api_key="sk-fake", base_url=base)),
        "pydantic-ai, Responses": OpenAIResponsesModel("gpt-5.2", provider=openai),
        "pydantic-ai, Chat": OpenAIChatModel("gpt-5.2", provider=openai),
    }.items():
        check(name, "text", lambda: has(Agent(model).run_sync(COUNT).output, "three"))

        def loop():
            agent = Agent(model)

            @agent.tool_plain
            def get_weather(city: str) -> str:
                return "rain"

            return has(agent.run_sync(WEATHER).output, "rains")

        check(name, "tool loop", loop)


def agents_checks():
    import agents
    from openai import AsyncOpenAI

    agents.set_tracing_disabled(True)
    agents.set_default_openai_client(AsyncOpenAI(api_key="sk-fake", base_url=f"{base}/v1"))

    @agents.function_tool
    def get_weather(city: str) -> str:
        return "rain"

    agent = agents.Agent(name="a", instructions="Help.", model="gpt-5.2", tools=[get_weather])
    check("openai-agents (Python)", "tool loop", lambda: has(agents.Runner.run_sync(agent, WEATHER).final_output, "rains"))


def langchain_checks():
    from langchain_anthropic import ChatAnthropic
    from langchain_openai import ChatOpenAI

    for name, chat in {
        "LangChain (Python), Anthropic": ChatAnthropic(model="claude-haiku-4-5", api_key="sk-fake", base_url=base, max_retries=0),
        "LangChain (Python), OpenAI": ChatOpenAI(model="gpt-5.2", api_key="sk-fake", base_url=f"{base}/v1", max_retries=0),
    }.items():
        check(name, "invoke", lambda: has(chat.invoke(COUNT).text, "three"))
        check(name, "stream", lambda: has("".join(str(part.text) for part in chat.stream(COUNT)), "three"))


os.environ.setdefault("OPENAI_AGENTS_DISABLE_TRACING", "1")
for name, run in [
    ("anthropic (Python)", anthropic_checks),
    ("openai (Python)", openai_checks),
    ("LiteLLM", litellm_checks),
    ("pydantic-ai", pydantic_checks),
    ("openai-agents (Python)", agents_checks),
    ("LangChain (Python)", langchain_checks),
]:
    if name not in only:
        continue
    try:
        run()
    except Exception as error:
        check(name, "starts", lambda: f"{type(error).__name__}: {error}")
