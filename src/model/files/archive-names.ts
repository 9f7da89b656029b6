/** How archives are called. Kept apart from what reads them: the first paint needs only the names. */
import { baseName } from '../../base/paths.ts';

const ENDING = /\.(?:zip|skill|tar|tgz|tar\.gz)$/i;

/** For `<input type="file">`. */
export const ARCHIVE_ENDINGS = '.zip,.skill,.tar,.tgz,.gz';

export const isArchiveName = (name: string): boolean => ENDING.test(name);

/** What a folder from this archive is called, where the archive doesn't say. */
export const archiveTitle = (fileName: string): string => baseName(fileName).replace(ENDING, '');
