import { describe, expect, it } from 'vitest';
import { capabilitiesOf, defaultWire } from './capabilities.ts';
import { readModelList } from './model-list.ts';
import type { ProviderId, Wire } from './types.ts';

describe('capabilities', () => {
  type Row = [provider: ProviderId, model: string, wire: Wire, caching: boolean, diagnostics: boolean, modes: number];
  it.each<Row>([
    ['anthropic', 'claude-haiku-4-5', 'anthropic-messages', true, true, 4],
    ['anthropic', 'claude-brand-new', 'anthropic-messages', true, true, 4],
    ['openai', 'gpt-6-sol', 'openai-responses', true, true, 4],
    ['openai', 'gpt-4o', 'openai-responses', false, false, 1],
    ['openrouter', 'anthropic/claude-haiku-4.5', 'openai-chat', false, false, 4],
    ['openrouter', 'openai/gpt-6-sol', 'openai-chat', false, false, 1],
    ['compatible', 'qwen3:8b', 'openai-chat', false, false, 1],
    ['simulator', 'claude-haiku-4-5', 'anthropic-messages', true, true, 4],
    ['simulator', 'gpt-6-sol', 'openai-responses', true, true, 4],
    ['simulator', 'whatever', 'anthropic-messages', true, false, 4],
  ])('PV80, PV81, PV82: %s with %s', (provider, model, wire, supportsPromptCaching, diagnostics, modes) => {
    expect(defaultWire(provider, model)).toBe(wire);
    const found = capabilitiesOf(provider, model);
    expect(found).toMatchObject({ wire, supportsPromptCaching, diagnostics, streaming: true, tools: true });
    expect(found.breakpoints).toHaveLength(modes);
  });

  it('PV80: a compatible server does not support caching on any wire', () => {
    for (const wire of ['anthropic-messages', 'openai-responses', 'openai-chat'] as const) {
      expect(capabilitiesOf('compatible', 'claude-haiku-4-5', wire).supportsPromptCaching).toBe(false);
    }
  });
});

describe('the list of models', () => {
  it.each<[name: string, json: unknown, models: object[]]>([
    [
      'Anthropic',
      {
        data: [
          {
            type: 'model',
            id: 'claude-opus-5',
            display_name: 'Claude Opus 5',
            max_input_tokens: 1_000_000,
            max_tokens: 128_000,
          },
        ],
        has_more: false,
      },
      [{ id: 'claude-opus-5', label: 'Claude Opus 5', contextWindow: 1_000_000, maxOutputTokens: 128_000 }],
    ],
    [
      'OpenAI, with the label of our book',
      { object: 'list', data: [{ id: 'gpt-6-sol', object: 'model', owned_by: 'openai' }, { id: 'new-1' }] },
      [
        { id: 'gpt-6-sol', label: 'GPT-6 Sol' },
        { id: 'new-1', label: 'new-1' },
      ],
    ],
    [
      'OpenRouter',
      {
        data: [
          {
            id: 'anthropic/claude-opus-5',
            name: 'Anthropic: Claude Opus 5',
            context_length: 1_000_000,
            top_provider: { max_completion_tokens: 64_000 },
          },
        ],
      },
      [
        {
          id: 'anthropic/claude-opus-5',
          label: 'Anthropic: Claude Opus 5',
          contextWindow: 1_000_000,
          maxOutputTokens: 64_000,
        },
      ],
    ],
    ['Ollama', { models: [{ name: 'qwen3:8b', model: 'qwen3:8b' }] }, [{ id: 'qwen3:8b', label: 'qwen3:8b' }]],
    ['vLLM', { data: [{ id: 'm', max_model_len: 8192 }] }, [{ id: 'm', label: 'm', contextWindow: 8192 }]],
    ['LM Studio', { data: [{ id: 'm', max_context_length: 4096 }] }, [{ id: 'm', label: 'm', contextWindow: 4096 }]],
    ['llama.cpp', { data: [{ id: 'm', meta: { n_ctx_train: 32 } }] }, [{ id: 'm', label: 'm', contextWindow: 32 }]],
    ['a bare list', ['a', { id: 'b' }], [{ id: 'a' }, { id: 'b' }]],
    ['entries without a name', { data: [null, 3, {}, { id: '' }, [], { id: 'x' }] }, [{ id: 'x' }]],
  ])('PV86: of %s', (_name, json, models) => {
    const found = readModelList(json);
    expect(found).toHaveLength(models.length);
    expect(found).toMatchObject(models);
  });

  it.each([[null], ['x'], [{}], [{ data: {} }]])('PV86: %j is none', (json) => {
    expect(readModelList(json)).toBeUndefined();
  });
});
