/** Three sessions to begin with. Each is a prompt and the steps that may follow it, one button each. */
import { codePointLength, takeCodePoints } from '../../base/text.ts';
import type { SessionSettings } from '../event/catalog.ts';

export type ExampleAction =
  | { readonly kind: 'say'; readonly text: string }
  /** Of the simulator. */
  | { readonly kind: 'advance'; readonly ms: number }
  | { readonly kind: 'change'; readonly settings: Partial<SessionSettings> }
  | { readonly kind: 'memory'; readonly line: string }
  /** The next run of a metaskill stops at its first line. */
  | { readonly kind: 'pause' };

export interface ExampleStep {
  readonly label: string;
  /** What will be seen, and where. */
  readonly shows: string;
  readonly actions: readonly ExampleAction[];
}

export interface Example {
  readonly id: 'full' | 'break' | 'pause' | `own ${string}`;
  readonly title: string;
  readonly about: string;
  readonly prompt: string;
  /** Done before the prompt is sent. */
  readonly before: readonly ExampleAction[];
  readonly steps: readonly ExampleStep[];
}

const MINUTE = 60_000;

export const EXAMPLES: readonly [Example, ...Example[]] = [
  {
    id: 'full',
    title: 'A full session',
    about: 'A skill is found and loaded, a metaskill drafts and checks, and the second turn reads from the cache.',
    prompt: 'Draft the release notes for Harbour 2.4. They must have the heading "## Rollback".',
    before: [],
    steps: [
      {
        label: 'Ask for the changelog too',
        shows: 'Cache waterfall: most of the second turn is read from the cache.',
        actions: [{ kind: 'say', text: 'Update CHANGELOG.md for 2.4' }],
      },
    ],
  },
  {
    id: 'break',
    title: 'Break the cache',
    about: 'Three ways to lose a cached prefix, each named by the Cache waterfall with its cause and its price.',
    prompt: 'Have a look at the new endpoint POST /refunds before we publish it to partners.',
    before: [],
    steps: [
      {
        label: 'Let the entry expire',
        shows: 'Six minutes pass, so five-minute entries expire.',
        actions: [
          { kind: 'advance', ms: 6 * MINUTE },
          { kind: 'say', text: 'And the endpoint GET /refunds?since= – is its paging ready to publish?' },
        ],
      },
      {
        label: 'Change the model',
        shows: 'Each model has its own cache.',
        actions: [
          { kind: 'change', settings: { model: 'claude-sonnet-4-5' } },
          {
            kind: 'say',
            text: 'Which errors should the endpoint have for a refund that comes too late?',
          },
        ],
      },
      {
        label: 'Roll the breakpoint along',
        shows: 'Now the conversation is cached too.',
        actions: [
          {
            kind: 'change',
            settings: { cache: { mode: 'rolling', ttl: { tools: '5m', system: '5m', messages: '5m' } } },
          },
          { kind: 'say', text: 'Sum up the review in three lines.' },
        ],
      },
      {
        label: 'Edit the memory',
        shows: 'MEMORY.md comes before the messages, so the provider rewrites all of them.',
        actions: [
          { kind: 'memory', line: '- Refunds are reviewed by the payments team.' },
          { kind: 'say', text: 'Which part of the endpoint should partners review next?' },
        ],
      },
    ],
  },
  {
    id: 'pause',
    title: 'Pause in a metaskill',
    about: 'A Starlark program runs line by line. Step through it in Metaskill run, and look at its variables.',
    prompt: 'I need a checklist for moving bookings to a new table: owner, backup, dry run, rollback',
    before: [{ kind: 'pause' }],
    steps: [
      {
        label: 'Run out of budget',
        shows: 'A program keeps asking until its budget ends it.',
        actions: [{ kind: 'say', text: 'Show me what happens when a metaskill runs out of its budget of asks' }],
      },
    ],
  },
];

const MOST_OWN = 3;
const MOST_ABOUT = 140;

const firstSentence = (description: string): string => {
  const [sentence = ''] = description.split(/(?<=[.!?])\s/);
  return codePointLength(sentence) <= MOST_ABOUT ? sentence : `${takeCodePoints(sentence, MOST_ABOUT - 1)}…`;
};

/** Prompts for a folder of one’s own, made from its skills: a metaskill first, because it shows the most. */
export const ownExamples = (
  skills: readonly { readonly name: string; readonly description: string; readonly isMetaskill: boolean }[],
): readonly Example[] =>
  skills
    .toSorted((a, b) => Number(b.isMetaskill) - Number(a.isMetaskill))
    .slice(0, MOST_OWN)
    .map(({ name, description }) => ({
      id: `own ${name}`,
      title: name,
      about: firstSentence(description),
      prompt: `Use $${name}: show me on a small example what it does.`,
      before: [],
      steps: [],
    }));
