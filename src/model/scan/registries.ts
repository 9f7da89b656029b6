/** Settings of package managers, wherever they stand or are written. */
import { hostOf, isForeignRegistry } from './places.ts';
import type { Place } from './types.ts';

const REGISTRY =
  /^[ \t]*(?:export[ \t]+)?(?:registry|index-url|extra-index-url|npmRegistryServer|(?:PIP|UV)_(?:INDEX_URL|EXTRA_INDEX_URL|DEFAULT_INDEX|INDEX)|NPM_CONFIG_REGISTRY|npm_config_registry)[ \t]*[=:][ \t]*["']?(https?:\/\/[^\s"']+)/gm;

const REGISTRY_OPTION =
  /(?:^|\s)--(?:index-url|extra-index-url|index|default-index|registry)[ \t=]{1,3}["']?(https?:\/\/[^\s"'`]+)/g;

interface RegistryInput {
  readonly text: string;
  readonly placeOf: (offset: number) => Place;
  readonly world: { readonly alarm: (rule: 'download-and-run', place: Place, message: string) => void };
}

/** Settings of package managers, in a file or in a block that is to become one. */
export const analyseRegistries = ({ text, placeOf, world }: RegistryInput): void => {
  for (const { 1: url = '', index } of [...text.matchAll(REGISTRY), ...text.matchAll(REGISTRY_OPTION)])
    if (isForeignRegistry(url))
      world.alarm(
        'download-and-run',
        placeOf(index),
        `Packages come from ${hostOf(url) ?? url} under the names of the usual ones, and run when they are installed.`,
      );
};
