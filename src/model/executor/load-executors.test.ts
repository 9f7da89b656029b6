import { describe, expect, it } from 'vitest';
import { createMemoryTree } from '../../platform/fs/memory-tree.ts';
import { importOffice, textFiles } from '../importer/testing/office-desk.ts';
import { testSigner, testVerify } from '../importer/testing/test-signer.ts';
import { loadExecutors } from './load-executors.ts';

const trusted = [{ name: 'test', publicKey: testSigner().publicKey }];
const { files, skill } = await importOffice();

const reasons = async (folder: string, extra: Readonly<Record<string, string>> = {}): Promise<readonly string[]> => {
  const inFolder = new Map([...files].map(([path, bytes]) => [`${folder}/${path}`, bytes]));
  for (const [path, text] of Object.entries(extra)) inFolder.set(`${folder}/${path}`, new TextEncoder().encode(text));
  const loaded = await loadExecutors({ tree: createMemoryTree(inFolder), trusted, verify: testVerify }, '');
  return [...new Set(loaded.map((executor) => (executor.state === 'ready' ? 'ready' : executor.reason)))];
};

describe('executors of a folder', () => {
  it('SN6: the folder of a skill may not be renamed', async () => {
    expect(await reasons(skill)).toEqual(['ready']);
    expect(await reasons('other-desk')).toEqual([
      `the folder is called other-desk, but the signed skill is called ${skill}`,
    ]);
  });

  it('EC6: of two with one name, the one that was imported first has it, whatever the folders are called', async () => {
    const skillOf = (name: string, script: string) => ({
      name,
      from: `https://skills.example/${name}`,
      files: textFiles({
        'SKILL.md': `---\nname: ${name}\ndescription: The ${name} skill.\n---\n\n## Usage\n\n\`\`\`bash\npython3 scripts/s.py calendar list\n\`\`\`\n`,
        'scripts/s.py': script,
      }),
    });
    const mine = await importOffice({}, skillOf('desk', 'print(1)\n'));
    const later = await importOffice({ now: () => '2026-06-01T00:00:00Z' }, skillOf('abacus', 'print(2)\n'));
    const tree = createMemoryTree(
      new Map(
        [mine, later].flatMap((report) =>
          [...report.files].map(([path, bytes]): [string, Uint8Array<ArrayBuffer>] => [
            `${report.skill}/${path}`,
            new Uint8Array(bytes),
          ]),
        ),
      ),
    );
    const loaded = await loadExecutors({ tree, trusted, verify: testVerify }, '');
    expect(loaded.map(({ skill: owner, state }) => `${owner} ${state}`)).toEqual(['abacus disabled', 'desk ready']);
    expect(loaded[0]).toMatchObject({ reason: 'another skill has an executor with this name' });
  });

  it('SN4: a file beside the folders, and folders that others skip, are looked at here', async () => {
    expect(await reasons(skill, { 'json.py': 'x' })).toEqual(['json.py is not in the signed manifest']);
    expect(await reasons(skill, { 'source/node_modules/a.py': 'x' })).toEqual([
      'source/node_modules/a.py is not in the signed manifest',
    ]);
  });
});
