/** Modules of the skill: each is run once, where it is first imported. */
import { member } from './assignments.ts';
import type { Module } from './language.ts';
import { hostOf, isModuleHost } from './places.ts';
import type { Place } from './types.ts';
import type { Value, Scope } from './value.ts';
import { child, type Walk } from './walk.ts';
import type { World } from './world.ts';

/** A module that is fetched when the program runs. */
export const remoteModule = (world: World, place: Place, url: string): void => {
  const host = hostOf(url) ?? '';
  world.capability('network', place, `import ${host}`);
  if (!isModuleHost(host)) world.alarm('download-and-run', place, `import runs code downloaded from ${host}.`);
};

export const runModule = (walk: Walk, module: Module): void => {
  if (walk.done.has(module.file)) return;
  const scope = child(undefined);
  walk.done.set(module.file, scope);
  const { current, branches } = walk;
  walk.list.push(module);
  walk.current = walk.list.length - 1;
  walk.branches = 0;
  walk.execute(scope, module.program.body);
  Object.assign(walk, { current, branches });
};

const importModule = (walk: Walk, path: string): Scope | undefined => {
  const file = walk.effects.resolve(walk.list[walk.current]?.file ?? '', path);
  const module = file === undefined ? undefined : walk.modules.get(file);
  if (!module) return undefined;
  runModule(walk, module);
  return walk.done.get(module.file);
};

export const moduleValue = (walk: Walk, path: string): Value => {
  const scope = importModule(walk, path);
  if (scope) return { marks: [], texts: [], fields: scope.names };
  return { marks: [], texts: [], ref: walk.effects.normalRef(path) };
};

/** `from . import helper` names a module, `from helper import send` something in one. */
export const importedName = (walk: Walk, path: string, module: Value, name: string, at: number): Value => {
  const inner = module.fields
    ? undefined
    : importModule(walk, /[./]$/.test(path) ? `${path}${name}` : `${path}.${name}`);
  if (inner) return { marks: [], texts: [], fields: inner.names };
  return member(walk, module, name, at);
};
