import { describe, expect, it } from 'vitest';
import { argumentsOf, sourceCommands, type SourceArgument } from './source-arguments.ts';

const of = (path: string, text: string, ...words: readonly string[]): readonly SourceArgument[] =>
  argumentsOf(sourceCommands(path, text), words) ?? [];
const told = (args: readonly SourceArgument[]): readonly unknown[] =>
  args.map(({ flag, name, type, required, default: fallback, choices, list }) => [
    flag ?? name,
    type,
    required,
    fallback ?? choices ?? list ?? null,
  ]);

describe('arguments by the source', () => {
  it('SA1: reads a string of backslashes that never ends', () => {
    const source = `import argparse\np = argparse.ArgumentParser()\np.add_argument("--a", default="${'\\\\'.repeat(61)}x)\n`;
    expect(of('scripts/a.py', source)).toBeDefined();
  });

  it('SA1: argparse, with sub-commands, groups, lists, choices and defaults', () => {
    const source = `
import argparse
def main():
    parser = argparse.ArgumentParser(description="Issues (all of them)")
    parser.add_argument("--verbose", "-v", action="store_true", help="say more, much more")
    subparsers = parser.add_subparsers(dest="command", required=True)
    ls = subparsers.add_parser("list", help="list issues")
    ls.add_argument("project")
    ls.add_argument("--limit", "-n", type=int, default=20)
    ls.add_argument("--state", choices=["open", 'closed'], default="open")
    make = subparsers.add_parser("create")
    group = make.add_argument_group("fields")
    group.add_argument("-t", "--title", required=True)
    make.add_argument("--label", action="append")
    make.add_argument("--tags", nargs="+")
    make.add_argument("files", nargs="*")
    make.add_argument("--ratio", type=float, default=0.5)
`;
    expect(told(of('a.py', source, 'list'))).toEqual([
      ['project', 'string', true, null],
      ['--limit', 'integer', false, 20],
      ['--state', 'string', false, 'open'],
      ['--verbose', 'boolean', false, null],
    ]);
    expect(told(of('a.py', source, 'create'))).toEqual([
      ['--title', 'string', true, null],
      ['--label', 'array', false, 'repeat'],
      ['--tags', 'array', false, 'words'],
      ['files', 'array', false, 'words'],
      ['--ratio', 'number', false, 0.5],
      ['--verbose', 'boolean', false, null],
    ]);
    expect(argumentsOf(sourceCommands('a.py', source), ['other'])).toBeUndefined();
  });

  it('SA1: a positional that is the command is not an argument', () => {
    const source =
      'p = argparse.ArgumentParser()\np.add_argument("action", choices=["list"])\np.add_argument("path")\n';
    expect(told(of('a.py', source, 'list'))).toEqual([['path', 'string', true, null]]);
  });

  it('SA2: click, with groups', () => {
    const source = `
import click
@click.group()
@click.option("--token", envvar="TOKEN")
def cli(token): pass

@cli.group()
def issues(): pass

@issues.command("list")
@click.argument("project")
@click.option("--limit", type=int, default=10, show_default=True)
@click.option("--all/--no-all", is_flag=True)
@click.option("--state", type=click.Choice(["open", "closed"]), required=True)
@click.option("--label", multiple=True)
def list_issues(project, limit, all, state, label): pass

@cli.command()
@click.argument("paths", nargs=-1)
def send_mail(paths): pass
`;
    expect(told(of('a.py', source, 'issues', 'list'))).toEqual([
      ['project', 'string', true, null],
      ['--limit', 'integer', false, 10],
      ['--all', 'boolean', false, null],
      ['--state', 'string', true, ['open', 'closed']],
      ['--label', 'array', false, 'repeat'],
      ['--token', 'string', false, null],
    ]);
    expect(told(of('a.py', source, 'send-mail'))[0]).toEqual(['paths', 'array', false, 'words']);
  });

  it('SA3: typer', () => {
    const source = `
import typer
app = typer.Typer()

@app.command()
def create(title: str, count: int = 3, force: bool = False, note: Optional[str] = None,
           out: str = typer.Option("a.txt", "--out", "-o"), who: str = typer.Argument(...)):
    pass

@app.command("read-events")
def read(day: Annotated[str, typer.Option("--day")], tags: List[str] = typer.Option([])):
    pass
`;
    expect(told(of('a.py', source, 'create'))).toEqual([
      ['title', 'string', true, null],
      ['--count', 'integer', false, 3],
      ['--force', 'boolean', false, null],
      ['--note', 'string', false, null],
      ['--out', 'string', false, 'a.txt'],
      ['who', 'string', true, null],
    ]);
    expect(told(of('a.py', source, 'read-events'))).toEqual([
      ['--day', 'string', true, null],
      ['--tags', 'array', false, 'repeat'],
    ]);
  });

  it('SA4: commander', () => {
    const source = `
import { Command } from 'commander';
program.command('list <project>').option('-n, --limit <n>', 'how many', '20').option('--all', 'all').action(run);
program.command('create').requiredOption('-t, --title <text>', 'its title').argument('[paths...]').action(run);
`;
    expect(told(of('a.mjs', source, 'list'))).toEqual([
      ['project', 'string', true, null],
      ['--limit', 'string', false, '20'],
      ['--all', 'boolean', false, null],
    ]);
    expect(told(of('a.mjs', source, 'create'))).toEqual([
      ['--title', 'string', true, null],
      ['paths', 'array', false, 'words'],
    ]);
  });

  it('SA5: a hostile source ends', () => {
    const text = 'p.add_argument('.repeat(20_000);
    expect(of('a.py', text)).toEqual([]);
    expect(of('a.py', '('.repeat(100_000))).toEqual([]);
  });
});
