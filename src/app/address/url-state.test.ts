import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BOTTOM, VIEWS } from '../views/registry.ts';
import { type AddressBar, createNavigation } from './navigation.ts';
import { formatUrlState, parseUrlState, sharedIn, type UrlState } from './url-state.ts';

const word = fc.string({ unit: 'binary', minLength: 1, maxLength: 30 });
const anyState: fc.Arbitrary<UrlState> = fc.record(
  {
    view: fc.constantFrom(...VIEWS.map(({ id }) => id)),
    panel: fc.constantFrom('left', 'center', 'right', 'bottom'),
    tab: fc.constantFrom(...BOTTOM.map(({ id }) => id)),
    side: fc.constantFrom('session', 'request'),
    skill: word,
    file: word,
    at: word,
    session: word,
    event: word,
    turn: fc.integer({ min: 1, max: 999_999_999 }),
  },
  { requiredKeys: [] },
);

describe('the address', () => {
  it('UR1: what was written is read', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        expect(parseUrlState(formatUrlState(state))).toEqual(state);
      }),
    );
  });

  it('UR2: one place has one address', () => {
    const state = { turn: 3, file: 'SKILL.md', skill: 'skills/a', tab: 'problems' } as const;
    expect(formatUrlState(state)).toBe('#tab=problems&skill=skills/a&file=SKILL.md&turn=3');
    expect(formatUrlState({})).toBe('');
    fc.assert(
      fc.property(fc.string(), (hash) => {
        const once = formatUrlState(parseUrlState(`#${hash}`));
        expect(formatUrlState(parseUrlState(once))).toBe(once);
      }),
    );
  });

  it('UR3: what cannot be read is not there', () => {
    expect(parseUrlState('#tab=%E0%A4%A&skill=a&skill&=b&constructor=x&turn=-1')).toEqual({ skill: 'a' });
    expect(parseUrlState('#view=no&panel=where&tab=gone&skill=a')).toEqual({ skill: 'a' });
    for (const turn of ['0', '1.5', '1e3', '', '9999999999']) expect(parseUrlState(`#turn=${turn}`)).toEqual({});
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (hash) => {
        expect(() => parseUrlState(hash)).not.toThrow();
      }),
    );
    // Half a surrogate pair cannot be written; it must not break the rest.
    expect(parseUrlState(formatUrlState({ skill: 'a\uD800b', tab: 'log' }))).toEqual({ skill: 'a\uFFFDb', tab: 'log' });
  });

  it.each([
    ['#tab=overview', { view: 'sessions' }],
    ['#tab=prefix&skill=a', { view: 'sessions', skill: 'a' }],
    ['#tab=cache-waterfall', { view: 'sessions' }],
    ['#tab=activation-budget', { view: 'sessions' }],
    ['#tab=metaskill-run', { view: 'metaskills' }],
    ['#tab=import', { view: 'import' }],
    ['#tab=settings', { view: 'settings' }],
    ['#tab=sandbox', { tab: 'sandbox' }],
    ['#panel=library', { view: 'skills', panel: 'left' }],
    ['#panel=editor&skill=a', { view: 'skills', panel: 'center', skill: 'a' }],
    ['#panel=session', { view: 'sessions', panel: 'right' }],
    ['#panel=instruments&tab=log', { panel: 'bottom', tab: 'log' }],
  ])('UR9: the old address %s opens what it named', (hash, state) => {
    expect(parseUrlState(hash)).toEqual(state);
  });

  it('UR4: a share link is not a place', () => {
    expect(sharedIn('#share=1.abc')).toBe('1.abc');
    expect(parseUrlState('#share=1.abc')).toEqual({});
    expect(sharedIn('#share=')).toBeUndefined();
    expect(sharedIn('#tab=log&share=1')).toBeUndefined();
    expect(sharedIn('')).toBeUndefined();
  });

  it('UR5: paths stay readable', () => {
    expect(formatUrlState({ skill: '.agents/skills/a b', at: '3:14' })).toBe('#skill=.agents/skills/a+b&at=3:14');
  });
});

describe('navigation', () => {
  const setup = (hash = '') => {
    const calls: string[] = [];
    let current = hash;
    let listener = () => {};
    const bar: AddressBar = {
      hash: () => current,
      push: (next) => {
        current = next;
        calls.push(`push ${next}`);
      },
      replace: (next) => {
        current = next;
        calls.push(`replace ${next}`);
      },
      onMove: (listen) => {
        listener = listen;
      },
    };
    const moveTo = (next: string) => {
      current = next;
      listener();
    };
    return { navigation: createNavigation(bar), calls, moveTo };
  };

  it('UR6: pushes what the user does, replaces what the page settles, and stays where it is', () => {
    const { navigation, calls } = setup('#tab=log');
    navigation.go({ skill: 'a' });
    navigation.settle({ file: 'SKILL.md' });
    navigation.go({ tab: 'log' });
    navigation.go({ file: undefined, tab: 'problems' });
    expect(calls).toEqual([
      'push #view=sessions&tab=log&skill=a',
      'replace #view=sessions&tab=log&skill=a&file=SKILL.md',
      'push #view=sessions&tab=problems&skill=a',
    ]);
    expect(navigation.get()).toEqual({ view: 'sessions', tab: 'problems', skill: 'a' });
  });

  it('UR8: only who names a view goes to another one, and a view that the rest names is not named', () => {
    const { navigation, calls } = setup();
    navigation.settle({ skill: 'a' });
    navigation.go({ view: 'skills' });
    navigation.go({ skill: undefined });
    navigation.go({ view: 'sessions' });
    expect(calls).toEqual(['replace #view=sessions&skill=a', 'push #skill=a', 'push #view=skills', 'push ']);
  });

  it('UR7: back and forward tell the listeners', () => {
    const { navigation, moveTo } = setup();
    const seen: UrlState[] = [];
    const stop = navigation.subscribe(() => seen.push(navigation.get()));
    moveTo('#skill=b');
    stop();
    moveTo('#skill=c');
    expect(seen).toEqual([{ skill: 'b' }]);
    expect(navigation.get()).toEqual({ skill: 'c' });
  });
});
