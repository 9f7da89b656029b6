import { describe, expect, it } from 'vitest';
import { parseFilter, type Filter } from './filter.ts';
import { draftOf, testJournal } from './testing/events.ts';
import { createEventView } from './view.ts';

const filterOf = (text: string): Filter => {
  const filter = parseFilter(text);
  if (!filter.ok) throw new Error(filter.error.message);
  return filter.value;
};

describe('the view of a journal', () => {
  const start = (capacity = 10) => {
    const journal = testJournal();
    for (let count = 0; count < 3; count++) {
      journal.append(draftOf('tool.called', { tool_use_id: `tu_${count}` }));
      journal.append(draftOf('tool.failed', { tool_use_id: `tu_${count}` }));
    }
    const view = createEventView(journal, capacity);
    return { journal, view, types: () => [...view.rows].map(({ type }) => type) };
  };

  it('EV40: follows, and keeps the last ones', () => {
    const { journal, view } = start(4);
    let heard = 0;
    view.subscribe(() => void heard++);
    expect([view.rows.length, view.rows.dropped]).toEqual([4, 2]);
    const event = journal.append(draftOf('skill.loaded'));
    expect([view.rows.length, view.rows.dropped, heard]).toEqual([4, 3, 1]);
    expect(view.rows.at(3)).toBe(event);
    expect(journal.events).toHaveLength(7);
  });

  it('EV41: pauses while paused, and says how many wait', () => {
    const { journal, view, types } = start();
    view.setFilter(filterOf('type:skill,turn'));
    view.pause();
    journal.append(draftOf('skill.loaded'));
    journal.append(draftOf('tool.called'));
    journal.append(draftOf('turn.started'));
    expect([types(), view.waiting(), view.isPaused()]).toEqual([[], 2, true]);
    view.setFilter(filterOf('type:skill'));
    expect([types(), view.waiting()]).toEqual([[], 1]);
    view.follow();
    expect([types(), view.waiting(), view.isPaused()]).toEqual([['skill.loaded'], 0, false]);
  });

  it('EV42: a filter reaches back over the whole journal', () => {
    const { journal, view, types } = start(4);
    view.setFilter(filterOf('type:tool.called tool:skill_load'));
    expect(types()).toEqual(['tool.called', 'tool.called', 'tool.called']);
    expect(view.rows.dropped).toBe(0);
    journal.append(draftOf('tool.failed', { tool_use_id: 'tu_0' }));
    expect(types()).toHaveLength(3);
    view.setFilter(undefined);
    expect(view.rows.length).toBe(4);
  });

  it('EV43: ends', () => {
    const { journal, view } = start();
    view[Symbol.dispose]();
    journal.append(draftOf('skill.loaded'));
    expect(view.rows.length).toBe(6);
  });
});
