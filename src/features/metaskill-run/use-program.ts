import { useEffect, useState } from 'react';
import type { HostSkill } from '../../model/metaskill/host-types.ts';

export type Program = { readonly text: string } | { readonly problem: string };

/** The program of a skill, read when it is first shown. */
export const useProgram = (skill: HostSkill | undefined): Program | undefined => {
  const [read, setRead] = useState<{ readonly of: HostSkill; readonly text?: string; readonly problem?: string }>();
  useEffect(() => {
    if (!skill) return undefined;
    let isCurrent = true;
    const load = async (): Promise<void> => {
      const answer = await skill.readProgram();
      if (isCurrent) setRead(answer.ok ? { of: skill, text: answer.text } : { of: skill, problem: answer.reason });
    };
    void load();
    return () => {
      isCurrent = false;
    };
  }, [skill]);
  if (!read || read.of !== skill) return undefined;
  return read.text === undefined ? { problem: read.problem ?? '' } : { text: read.text };
};
