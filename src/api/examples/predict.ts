import { predict } from '../index.ts';

const body = JSON.stringify({
  model: 'claude-haiku-4-5',
  max_tokens: 100,
  system: [{ type: 'text', text: 'A long rule. '.repeat(2000), cache_control: { type: 'ephemeral' } }],
  messages: [{ role: 'user', content: 'Hello' }],
});
const [first, second] = await predict([
  { wire: 'anthropic-messages', body, startedAt: 0 },
  { wire: 'anthropic-messages', body, startedAt: 60_000 },
]);

console.log(first?.read, second?.read === first?.written);
