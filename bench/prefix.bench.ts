/** Assembling a prefix of 1 MB and hashing its blocks, against hashing the same bytes once. */
import { sha256 } from '../src/base/hash.ts';
import { silentLog } from '../src/base/log.ts';
import { loadLibrary } from '../src/model/library/load-library.ts';
import { assembleStable } from '../src/model/prompt/assemble.ts';
import { placeSegments } from '../src/model/prompt/layout.ts';
import { toWire } from '../src/model/provider/to-wire.ts';
import { toolSpecs } from '../src/model/tool/definitions.ts';
import { createMemoryTree } from '../src/platform/fs/memory-tree.ts';
import { generateSkills } from './generate.ts';
import { bestOf, report } from './measure.ts';

const INSTRUCTIONS = 400_000;
const BODIES = 620_000;
const ROUNDS = 15;

const skills = generateSkills(600, 5);
const files = Object.fromEntries(skills.map(({ name, text }) => [`skills/${name}/SKILL.md`, text]));
const { store } = await loadLibrary(
  { project: { tree: createMemoryTree(files) } },
  { profile: 'standard', dialect: 'metis', log: silentLog },
);
// A model with so high a floor that bodies are needed for half of the prefix.
const floor = Math.floor((INSTRUCTIONS + BODIES) / 4 / 1.15);
const model = 'bench';
const book = new Map([
  [
    model,
    {
      id: model,
      label: model,
      family: 'unknown',
      caching: 'unknown',
      tokenFactor: 1,
      keepsThinking: 'all',
      hasDiagnostics: false,
      thinking: 'none',
      floor,
    } as const,
  ],
]);
const tools = toolSpecs({ dialect: 'metis', store, policy: 'local' });
const instructions = skills
  .map(({ text }) => text)
  .join('\n')
  .slice(0, INSTRUCTIONS);
const assemble = () =>
  assembleStable({
    persona: 'Naïve 🙂.',
    instructions,
    store,
    dialect: 'metis',
    policy: 'local',
    tools,
    padding: 'model',
    model,
    book,
  });

const prompt = assemble();
const all = new TextEncoder().encode(prompt.toolSegments.map(({ text }) => text).join('') + prompt.text);
if (all.length < 1_000_000) throw new Error(`the prefix has only ${all.length} bytes`);
const hashing = bestOf(ROUNDS, () => void sha256(all));
const assembling = bestOf(ROUNDS, () => void assemble());
report(`a prefix of ${(all.length / 1e6).toFixed(1)} MB assembled, against one hash of it`, assembling / hashing, {
  atMost: 2,
});

const request = toWire(
  {
    model,
    tools,
    system: { stable: prompt.text, volatile: '' },
    messages: [],
    maxOutputTokens: 1,
    stream: false,
    cache: { mode: 'static', ttl: { tools: '5m', system: '5m', messages: '5m' } },
    cacheKey: '',
  },
  'anthropic-messages',
);
const body = JSON.stringify(request.body);
const segments = [...prompt.toolSegments, ...prompt.segments];
const placing = bestOf(ROUNDS, () => void placeSegments(body, request, segments));
report('its segments placed in the body, against one hash of it', placing / hashing, { atMost: 2 });
