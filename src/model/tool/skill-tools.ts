/** `skill_search`, `skill_load`, `skill`, `run_metaskill`. */
import type { Json } from '../../base/json.ts';
import type { Log } from '../../base/log.ts';
import { decideActivation, loadedPayload, type ActivationState } from '../activation/budget.ts';
import {
  loadedPointer,
  loadMetadata,
  NO_SKILLS_TEXT,
  preloadedPointer,
  searchMetadata,
  searchText,
  skillLoadText,
  unknownSkillText,
} from '../activation/texts.ts';
import type { SkillStore } from '../library/store.ts';
import { isExecutable, type Dialect, type MetaskillPolicy } from '../library/types.ts';
import { definitions, metaskillDefinition } from './definitions.ts';
import { numberField, textField } from './tool-input.ts';
import { ToolError, type Tool, type ToolContext, type ToolOutput } from './types.ts';

export interface SkillToolDeps {
  readonly dialect: Dialect;
  /** Absent: skills are not configured. */
  readonly store: SkillStore | undefined;
  readonly policy: MetaskillPolicy;
  /** The registry of the conversation that calls. It must know of a `skill.loaded` as soon as that was emitted. */
  readonly activation: (context: ToolContext) => ActivationState;
  readonly log: Log;
}

const configured = (store: SkillStore | undefined): SkillStore => {
  if (!store) throw new ToolError(NO_SKILLS_TEXT);
  return store;
};

const skillSearch = (deps: SkillToolDeps): Tool => ({
  ...definitions.skillSearch,
  run: async (input) => {
    const query = textField(input, 'query');
    const results = configured(deps.store).search(query, numberField(input, 'limit'));
    return { text: searchText(query, results), metadata: searchMetadata(query, results) };
  },
});

/** Decides, counts and tells without a pause between, so that calls that run at the same time cannot pass the cap together. */
const load = (input: Json, context: ToolContext, deps: SkillToolDeps): ToolOutput => {
  const { dialect } = deps;
  const name = textField(input, 'name');
  const item = configured(deps.store).get(name);
  if (!item) throw new ToolError(unknownSkillText(name, dialect), 'not_found');
  const { skill, layer } = item;
  const decision = decideActivation(deps.activation(context), { name, tokens: skill.estimatedBodyTokens });
  const body = (): string => skillLoadText(item, dialect, isExecutable(skill.metaskill, layer, deps.policy));
  switch (decision.kind) {
    case 'refused':
      throw new ToolError(decision.message);
    case 'preloaded':
      return {
        text: dialect === 'metis' ? preloadedPointer(item) : body(),
        metadata: loadMetadata(item, 'already_preloaded'),
      };
    case 'already-loaded':
      return {
        text: dialect === 'metis' ? loadedPointer(item, decision.isInMessage) : body(),
        metadata: loadMetadata(item, 'already_loaded'),
      };
    case 'load':
      context.emit({
        type: 'skill.loaded',
        payload: loadedPayload(item, 'on_demand', context.toolUseId),
        parent: null,
      });
      if (decision.warning) deps.log(decision.warning);
      return { text: body(), metadata: loadMetadata(item) };
  }
};

const loadTool = (deps: SkillToolDeps): Tool => ({
  ...(deps.dialect === 'metis' ? definitions.skillLoad : definitions.skill),
  run: async (input, context) => load(input, context, deps),
});

/** In the order of their definitions. */
export const createSkillTools = (deps: SkillToolDeps): readonly Tool[] =>
  deps.dialect === 'metis' ? [skillSearch(deps), loadTool(deps)] : [loadTool(deps)];

export interface MetaskillToolDeps {
  readonly store: SkillStore;
  readonly policy: MetaskillPolicy;
  /** The host: checks its arguments itself, keeps its own clock, and ends in one string. */
  readonly run: (args: Json, context: ToolContext) => Promise<{ readonly result: string; readonly ok: boolean }>;
}

/** Nothing if no metaskill may run. */
export const createMetaskillTool = ({ store, policy, run }: MetaskillToolDeps): Tool | undefined => {
  const definition = metaskillDefinition(store, policy);
  return (
    definition && {
      ...definition,
      validatesItself: true,
      timeoutSeconds: Infinity,
      run: async (input, context) => {
        const { result, ok } = await run(input, context);
        if (!ok) throw new ToolError(result);
        return { text: result };
      },
    }
  );
};
