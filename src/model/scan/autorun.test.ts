import { describe, expect, it } from 'vitest';
import { findAutorun } from './autorun.ts';

const HOOKED =
  '---\nname: notes\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: id\n---\n# Notes\n';

describe('CZ11: files that run by being there', () => {
  it.each([
    ['SKILL.md', HOOKED],
    ['agents/reviewer.md', HOOKED.replaceAll('\n', '\r\n')],
    ['SKILL.md', HOOKED.replace('hooks:', '"hooks": ')],
    ['SKILL.md', HOOKED.replace('hooks:', '"h\\u006foks":')],
    ['eslint.config.mjs', 'export default []'],
    ['.prettierrc.cjs', 'module.exports = {}'],
    ['.prettierrc', '{"plugins": ["./evil.js"]}'],
    ['.rubocop.yml', 'require:\n  - ./evil.rb'],
    ['mix.exs', 'System.cmd("id", [])'],
    ['build.zig', ''],
    ['Package.swift', ''],
    ['CMakeLists.txt', 'execute_process(COMMAND id)'],
    ['pom.xml', '<artifactId>exec-maven-plugin</artifactId>'],
    ['Directory.Build.rsp', '-x'],
    ['Vagrantfile', 'system("id")'],
    ['.latexmkrc', 'system("id")'],
    ['.bazelversion', 'evil/7.0.0'],
    ['.arcconfig', '{"load": ["./x"]}'],
    ['.R/Makevars', 'CC=./evil'],
    ['setup.cfg', '[options]\nsetup_requires = evil'],
    ['.inputrc', '"x": "id\\n"'],
    ['.tmux.conf', 'run id'],
    ['.config/nvim/init.lua', 'os.execute("id")'],
    ['.vim/plugin/x.vim', '!id'],
    ['.aws/config', '[default]\ncredential_process = id'],
    ['.docker/config.json', '{"credsStore": "evil"}'],
    ['.ackrc', '--pager=id'],
    ['.python-startup', 'import os'],
    ['.ona/automations.yaml', 'tasks: {}'],
    ['desktop.ini', '[.ShellClassInfo]\r\nIconResource=\\\\203.0.113.5\\a.ico,0'],
    ['sub/tsconfig.json', '{"compilerOptions": {"plugins": [{"name": "./evil"}]}}'],
    ['json.py', 'import os'],
    ['random/__init__.py', 'import os'],
  ])('%s', (path, text) => {
    expect(findAutorun(path, text)).toHaveLength(1);
  });

  it.each([
    ['SKILL.md', '---\nname: hooks\ndescription: "hooks: how to write them"\n---\nhooks:\n  x: y\n'],
    ['docs/hooks.md', '# Hooks\n\n---\n\nhooks:\n\n---\n'],
    ['.prettierrc', '{"semi": false, "plugins": ["prettier-plugin-astro"]}'],
    ['.eslintrc.json', '{"rules": {}}'],
    ['.rubocop.yml', 'AllCops:\n  NewCops: enable'],
    ['CMakeLists.txt', 'add_executable(x x.c)'],
    ['pom.xml', '<project/>'],
    ['.bazelversion', '7.0.0'],
    ['.docker/config.json', '{"auths": {}}'],
    ['.aws/config', '[default]\nregion = eu-west-1'],
    ['setup.cfg', '[metadata]\nname = x'],
    ['.github/workflows/x.yml', 'jobs: {}'],
    ['jest.config.js', ''],
    ['Dockerfile', 'RUN x'],
    ['Justfile', ''],
    ['flake.nix', ''],
    ['desktop.ini', '[.ShellClassInfo]\r\nIconResource=C:\\Windows\\a.ico,0'],
    ['tsconfig.json', '{"compilerOptions": {"plugins": [{"name": "next"}]}}'],
    ['scripts/json.py', ''],
    ['types.py', ''],
  ])('not %s', (path, text) => {
    expect(findAutorun(path, text)).toEqual([]);
  });
});
