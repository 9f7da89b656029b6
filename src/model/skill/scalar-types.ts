/** What type a plain scalar has. YAML 1.1 is what PyYAML's safe loader does; YAML 1.2 is the core schema. */
import type { ScalarNode } from './yaml-nodes.ts';

export type ScalarType = 'string' | 'null' | 'bool' | 'int' | 'float' | 'timestamp' | 'merge' | 'value';

/** `none`: all scalars are strings, as strictyaml reads them. */
export type Typing = 'none' | '1.1' | '1.2';

const NULL = /^(?:~|null|Null|NULL|)$/;

const YAML_11: readonly (readonly [ScalarType, RegExp])[] = [
  ['null', NULL],
  ['bool', /^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/],
  [
    'int',
    /^(?:[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$/,
  ],
  [
    'float',
    /^(?:[-+]?(?:[0-9][0-9_]*)\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/,
  ],
  [
    'timestamp',
    /^(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?)$/,
  ],
  ['merge', /^<<$/],
  ['value', /^=$/],
];

const YAML_12: readonly (readonly [ScalarType, RegExp])[] = [
  ['null', NULL],
  ['bool', /^(?:true|True|TRUE|false|False|FALSE)$/],
  ['int', /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/],
  ['float', /^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/],
];

/** Only these can start a scalar that is not a string; most text ends here. */
const CAN_BE_TYPED = /^[-+.~0-9<=nNtTfFyYoO]|^$/;
const LONGEST_TYPED = 64;

export const typeOfPlain = (text: string, typing: Typing): ScalarType => {
  if (typing === 'none' || text.length > LONGEST_TYPED || !CAN_BE_TYPED.test(text)) return 'string';
  for (const [type, pattern] of typing === '1.1' ? YAML_11 : YAML_12) if (pattern.test(text)) return type;
  return 'string';
};

const TAGGED = /^tag:yaml\.org,2002:(int|float|bool|null|timestamp)$/;

export const scalarType = (node: ScalarNode, typing: Typing): ScalarType => {
  if (node.tag !== undefined)
    return typing === 'none' ? 'string' : ((TAGGED.exec(node.tag)?.[1] as ScalarType) ?? 'string');
  return node.style === 'plain' ? typeOfPlain(node.text, typing) : 'string';
};
