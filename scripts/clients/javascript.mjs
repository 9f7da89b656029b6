// @ts-nocheck -- the clients are installed elsewhere, so nothing here has a type.
// Checks of the clients in JavaScript. Prints a line of JSON per check. Run by scripts/clients.mjs in the folder where they are installed.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [base, folder] = process.argv.slice(2);
const require = createRequire(join(folder, 'x.js'));
const load = async (name) => {
  try {
    return await import(pathToFileURL(require.resolve(name)).href);
  } catch {
    return import(pathToFileURL(join(folder, 'node_modules', name, 'index.js')).href);
  }
};
const check = async (client, name, run) => {
  try {
    const got = await run();
    console.log(JSON.stringify({ client, check: name, ok: got === true, detail: got === true ? '' : String(got) }));
  } catch (error) {
    console.log(JSON.stringify({ client, check: name, ok: false, detail: String(error).slice(0, 300) }));
  }
};
const has = (text, part) =>
  String(text).includes(part) ? true : `${part} is not in ${JSON.stringify(text)?.slice(0, 200)}`;
const COUNT = 'Please count to three.';
const WEATHER = 'How is the weather?';
const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

const { default: Anthropic } = await load('@anthropic-ai/sdk');
const anthropic = new Anthropic({ apiKey: 'sk-fake', baseURL: base, maxRetries: 0 });
const claude = { model: 'claude-haiku-4-5', max_tokens: 500 };
const ask = (content) => ({ ...claude, messages: [{ role: 'user', content }] });
const tools = [{ name: 'get_weather', description: 'Weather of a city', input_schema: schema }];
await check('anthropic (JS)', 'message', async () =>
  has((await anthropic.messages.create(ask(COUNT))).content[0].text, 'three'),
);
await check('anthropic (JS)', 'stream', async () =>
  has(await anthropic.messages.stream(ask(COUNT)).finalText(), 'three'),
);
await check(
  'anthropic (JS)',
  'count tokens',
  async () =>
    (await anthropic.messages.countTokens({ model: claude.model, messages: ask(COUNT).messages })).input_tokens > 0,
);
await check('anthropic (JS)', 'models', async () => (await anthropic.models.list()).data.length > 0);
await check('anthropic (JS)', 'tool and result', async () => {
  const first = await anthropic.messages.create({ ...ask(WEATHER), tools });
  const call = first.content.find(({ type }) => type === 'tool_use');
  if (call?.name !== 'get_weather') return 'no tool call';
  const second = await anthropic.messages.create({
    ...claude,
    tools,
    messages: [
      { role: 'user', content: WEATHER },
      { role: 'assistant', content: first.content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: 'rain' }] },
    ],
  });
  return has(second.content[0].text, 'rains');
});
await check('anthropic (JS)', 'thinking, streamed', async () => {
  const done = await anthropic.messages
    .stream({ ...ask(COUNT), max_tokens: 3000, thinking: { type: 'enabled', budget_tokens: 1024 } })
    .finalMessage();
  return has(done.content.map(({ type }) => type).join(), 'thinking');
});
await check('anthropic (JS)', 'cache read', async () => {
  const system = [
    {
      type: 'text',
      text: `${Math.random()} ${'A rule of the house. '.repeat(1200)}`,
      cache_control: { type: 'ephemeral' },
    },
  ];
  await anthropic.messages.create({ ...ask(COUNT), system });
  return (await anthropic.messages.create({ ...ask(COUNT), system })).usage.cache_read_input_tokens > 0;
});
await check('anthropic (JS)', 'refuses a misspelt model', async () => {
  try {
    await anthropic.messages.create({ ...ask(COUNT), model: 'claude-haiku-4.5x' });
    return 'accepted';
  } catch (error) {
    return error.status === 404 ? true : `status ${error.status}`;
  }
});
await check('anthropic (JS)', 'web search by the server', async () => {
  const done = await anthropic.messages.create({
    ...ask('Search the web for tides in Bergen.'),
    tools: [{ type: 'web_search_20250305', name: 'web_search' }],
  });
  return done.content.some(({ type }) => type === 'tool_use') ? 'answered as a tool of the client' : true;
});

const { default: OpenAI } = await load('openai');
const openai = new OpenAI({ apiKey: 'sk-fake', baseURL: `${base}/v1`, maxRetries: 0 });
const model = 'gpt-5.2';
const functionTool = {
  type: 'function',
  name: 'get_weather',
  description: 'Weather',
  parameters: { ...schema, additionalProperties: false },
  strict: true,
};
const chatTool = { type: 'function', function: { name: 'get_weather', description: 'Weather', parameters: schema } };
await check('openai (JS)', 'response', async () =>
  has((await openai.responses.create({ model, input: COUNT })).output_text, 'three'),
);
await check('openai (JS)', 'response, streamed', async () =>
  has((await openai.responses.stream({ model, input: COUNT }).finalResponse()).output_text, 'three'),
);
await check('openai (JS)', 'previous_response_id', async () => {
  const first = await openai.responses.create({ model, input: WEATHER, tools: [functionTool] });
  const call = first.output.find(({ type }) => type === 'function_call');
  if (!call) return 'no tool call';
  const second = await openai.responses.create({
    model,
    previous_response_id: first.id,
    tools: [functionTool],
    input: [{ type: 'function_call_output', call_id: call.call_id, output: 'rain' }],
  });
  return has(second.output_text, 'rains');
});
await check('openai (JS)', 'chat', async () =>
  has(
    (await openai.chat.completions.create({ model, messages: [{ role: 'user', content: COUNT }] })).choices[0].message
      .content,
    'three',
  ),
);
await check('openai (JS)', 'chat, streamed', async () =>
  has(
    await openai.chat.completions.stream({ model, messages: [{ role: 'user', content: COUNT }] }).finalContent(),
    'three',
  ),
);
await check(
  'openai (JS)',
  'chat tool',
  async () =>
    (await openai.chat.completions.create({ model, messages: [{ role: 'user', content: WEATHER }], tools: [chatTool] }))
      .choices[0].message.tool_calls[0].function.name === 'get_weather',
);
await check('openai (JS)', 'structured output', async () => {
  const text = {
    format: {
      type: 'json_schema',
      name: 'a',
      strict: true,
      schema: {
        type: 'object',
        properties: { answer: { type: 'string' } },
        required: ['answer'],
        additionalProperties: false,
      },
    },
  };
  return (
    typeof JSON.parse((await openai.responses.create({ model, input: COUNT, text })).output_text).answer === 'string'
  );
});

const { generateText, streamText, tool, jsonSchema, stepCountIs } = await load('ai');
const { createAnthropic } = await load('@ai-sdk/anthropic');
const { createOpenAI } = await load('@ai-sdk/openai');
const sdk = {
  'AI SDK, Anthropic': createAnthropic({ apiKey: 'sk-fake', baseURL: `${base}/v1` })('claude-haiku-4-5'),
  'AI SDK, Responses': createOpenAI({ apiKey: 'sk-fake', baseURL: `${base}/v1` })(model),
  'AI SDK, Chat': createOpenAI({ apiKey: 'sk-fake', baseURL: `${base}/v1` }).chat(model),
};
for (const [name, of] of Object.entries(sdk)) {
  const weather = tool({ description: 'Weather', inputSchema: jsonSchema(schema), execute: async () => 'rain' });
  await check(name, 'text', async () =>
    has((await generateText({ model: of, prompt: COUNT, maxRetries: 0 })).text, 'three'),
  );
  await check(name, 'stream', async () => {
    const stream = streamText({ model: of, prompt: COUNT, maxRetries: 0 });
    return has(await stream.text, 'three');
  });
  await check(name, 'tool loop', async () =>
    has(
      (
        await generateText({
          model: of,
          prompt: WEATHER,
          maxRetries: 0,
          tools: { get_weather: weather },
          stopWhen: stepCountIs(4),
        })
      ).text,
      'rains',
    ),
  );
}

const { ChatAnthropic } = await load('@langchain/anthropic');
const { ChatOpenAI } = await load('@langchain/openai');
const chains = {
  'LangChain (JS), Anthropic': new ChatAnthropic({
    apiKey: 'sk-fake',
    anthropicApiUrl: base,
    model: claude.model,
    maxRetries: 0,
  }),
  'LangChain (JS), OpenAI': new ChatOpenAI({
    apiKey: 'sk-fake',
    configuration: { baseURL: `${base}/v1` },
    model,
    maxRetries: 0,
  }),
};
for (const [name, chat] of Object.entries(chains)) {
  await check(name, 'invoke', async () => has((await chat.invoke(COUNT)).text, 'three'));
  await check(name, 'stream', async () => {
    let text = '';
    for await (const part of await chat.stream(COUNT)) text += part.text;
    return has(text, 'three');
  });
  await check(
    name,
    'tool',
    async () =>
      (await chat.bindTools([{ name: 'get_weather', description: 'Weather', schema }]).invoke(WEATHER)).tool_calls[0]
        ?.name === 'get_weather',
  );
}

const agents = await load('@openai/agents');
await check('openai-agents (JS)', 'tool loop', async () => {
  agents.setDefaultOpenAIClient(openai);
  agents.setTracingDisabled(true);
  const weather = agents.tool({
    name: 'get_weather',
    description: 'Weather',
    parameters: { ...schema, additionalProperties: false },
    strict: true,
    execute: async () => 'rain',
  });
  const done = await agents.run(
    new agents.Agent({ name: 'a', model, instructions: 'Help.', tools: [weather] }),
    WEATHER,
  );
  return has(done.finalOutput, 'rains');
});
