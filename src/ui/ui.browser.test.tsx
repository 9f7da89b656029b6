// The primitives that have a behavior of their own, in a real browser. What a whole panel does is tested end to end.
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { userEvent } from 'vitest/browser';
import './base.css';
import { Button } from './button.tsx';
import { CodeText } from './code-text.tsx';
import { ComboBox } from './combo-box.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Explained } from './explained.tsx';
import { ProgressBar } from './progress-bar.tsx';
import { Tabs } from './tabs.tsx';
import { TextField } from './text-field.tsx';
import { Toggle } from './toggle.tsx';
import { Tree, type TreeNode } from './tree.tsx';
import { VirtualTable } from './virtual-table.tsx';

describe('Button', () => {
  it('with a reason stays in the tab order, says why and does nothing', async () => {
    const onPress = vi.fn<() => void>();
    const screen = await render(
      <Button onPress={onPress} disabledReason="Open a folder first.">
        Save
      </Button>,
    );
    const button = screen.getByRole('button', { name: 'Save' });
    await expect.element(button).toHaveAttribute('aria-disabled', 'true');
    await userEvent.tab();
    await expect.element(button).toHaveFocus();
    await expect.element(screen.getByRole('tooltip')).toHaveTextContent('Open a folder first.');
    await userEvent.keyboard('{Enter}');
    expect(onPress).not.toHaveBeenCalled();
  });
});

describe('Explained', () => {
  it('says what a number stands for on keyboard focus and on hover, without a warning', async () => {
    const warned = vi.spyOn(console, 'warn');
    const screen = await render(
      <Explained about="Paid minus avoidable.">
        <b>$0.0349</b> necessary
      </Explained>,
    );
    const figure = screen.getByRole('group');
    await userEvent.tab();
    await expect.element(figure).toHaveFocus();
    await expect.element(screen.getByRole('tooltip')).toHaveTextContent('Paid minus avoidable.');
    await expect.element(figure).toHaveAccessibleDescription('Paid minus avoidable.');
    await userEvent.keyboard('{Escape}');
    await expect.element(screen.getByRole('tooltip')).not.toBeInTheDocument();
    await userEvent.hover(figure);
    await expect.element(screen.getByRole('tooltip')).toBeVisible();
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });
});

describe('ErrorBoundary', () => {
  it('keeps a failure inside, hands out the details, and loads again', async () => {
    // React writes what it caught to the console.
    const silent = vi.spyOn(console, 'error').mockImplementation(() => {});
    let isBroken = true;
    const Part = () => {
      if (isBroken) throw new Error('broken on purpose');
      return <p>mended</p>;
    };
    const onError = vi.fn<(thrown: unknown, details: string) => void>();
    const onCopy = vi.fn<(text: string) => void>();
    const screen = await render(
      <ErrorBoundary name="Editor" onError={onError} onCopy={onCopy}>
        <Part />
      </ErrorBoundary>,
    );
    await expect.element(screen.getByRole('alert')).toHaveTextContent('Editor crashed');
    await expect.element(screen.getByText('broken on purpose')).toBeVisible();
    await screen.getByRole('button', { name: 'Copy details' }).click();
    expect(onCopy).toHaveBeenCalledWith(expect.stringContaining('broken on purpose'));
    expect(onError).toHaveBeenCalledTimes(1);
    isBroken = false;
    await screen.getByRole('button', { name: 'Load again' }).click();
    await expect.element(screen.getByText('mended')).toBeVisible();
    silent.mockRestore();
  });
});

describe('ComboBox', () => {
  it('finds by typing, and takes a word that is not in the list', async () => {
    const values: string[] = [];
    const commits: string[] = [];
    const MODELS = ['haiku', 'opus'];
    const Models = () => {
      const [value, setValue] = useState('');
      values.push(value);
      return (
        <ComboBox
          label="Model"
          options={MODELS}
          value={value}
          onChange={setValue}
          onCommit={(meant) => commits.push(meant)}
          describe={(option) => `about ${option}`}
        />
      );
    };
    // Like the workbench: a page that scrolls would close the list.
    document.documentElement.style.overflow = 'hidden';
    const screen = await render(<Models />);
    const field = screen.getByRole('combobox', { name: 'Model' });
    await field.click();
    expect(screen.getByRole('option').elements()).toEqual([]);
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(screen.getByRole('option', { name: 'opus' })).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await field.fill('ha');
    await expect.element(screen.getByRole('option', { name: 'haiku' })).toBeVisible();
    await userEvent.keyboard('{ArrowDown}{Enter}');
    expect(values.at(-1)).toBe('haiku');
    await field.fill('my-own');
    await userEvent.tab();
    expect(values.at(-1)).toBe('my-own');
    expect(commits).toEqual(['haiku', 'my-own']);
  });
});

describe('TextField', () => {
  it('says what is wrong with its value', async () => {
    const screen = await render(
      <TextField label="Name" value="A b" onChange={() => {}} isMono description="As the folder" error="No spaces." />,
    );
    const field = screen.getByRole('textbox', { name: 'Name' });
    await expect.element(field).toHaveAttribute('aria-invalid', 'true');
    await expect.element(field).toHaveAccessibleDescription('As the folder No spaces.');
  });
});

describe('Toggle', () => {
  it('is a switch', async () => {
    const onChange = vi.fn<(isOn: boolean) => void>();
    const screen = await render(
      <Toggle isOn={false} onChange={onChange}>
        Apply at once
      </Toggle>,
    );
    await expect.element(screen.getByRole('switch', { name: 'Apply at once' })).not.toBeChecked();
    await screen.getByText('Apply at once').click();
    expect(onChange).toHaveBeenCalledWith(true);
  });
});

describe('CodeText', () => {
  it('as a block has a name and a place in the tab order', async () => {
    const screen = await render(<CodeText block="Answer">{'a\nb'}</CodeText>);
    await userEvent.tab();
    await expect.element(screen.getByRole('group', { name: 'Answer' })).toHaveFocus();
  });
});

describe('VirtualTable', () => {
  it('keeps only the rows in view in the page, and counts all of them', async () => {
    const rows = Array.from({ length: 100_000 }, (_, index) => `row ${index}`);
    const screen = await render(
      <div style={{ display: 'flex', height: 300, width: 800 }}>
        <VirtualTable
          label="Rows"
          rows={rows}
          rowKey={(row) => row}
          columns={[{ id: 'name', header: 'Name', width: '1fr', cell: (row) => row }]}
          selected="row 2"
        />
      </div>,
    );
    await expect.element(screen.getByRole('table', { name: 'Rows' })).toHaveAttribute('aria-rowcount', '100001');
    await expect.element(screen.getByRole('cell', { name: 'row 0', exact: true })).toBeVisible();
    expect(screen.getByRole('row').all().length).toBeLessThan(60);
    screen.getByRole('group').element().scrollTo({ top: 1e9 });
    await expect.element(screen.getByRole('cell', { name: 'row 99999' })).toBeVisible();
  });
});

describe('Tree', () => {
  const nodes: readonly TreeNode[] = [
    {
      id: 'group',
      text: 'Group',
      look: 'group',
      children: Array.from({ length: 5000 }, (_, index) => ({ id: `i${index}`, text: `Item ${index}`, look: 'item' })),
    },
  ];

  it('holds thousands of rows, moves by keys, opens on Enter, and closes a group', async () => {
    const selected: string[] = [];
    const menus: string[] = [];
    const Sample = () => {
      const [open, setOpen] = useState<ReadonlySet<string>>(new Set(['group']));
      return (
        <div style={{ display: 'flex', height: 300 }}>
          <Tree
            label="Sample"
            nodes={nodes}
            expanded={open}
            onExpand={setOpen}
            selected={selected.at(-1)}
            onSelect={(id) => selected.push(id)}
            renderRow={({ text }) => <span>{text}</span>}
            onMenu={(id) => menus.push(id)}
          />
        </div>
      );
    };
    const screen = await render(<Sample />);
    await expect.element(screen.getByRole('row', { name: 'Item 0', exact: true })).toBeVisible();
    expect(screen.getByRole('row').all().length).toBeLessThan(60);
    await userEvent.tab();
    await userEvent.keyboard('{Home}{ArrowDown}{ArrowDown}');
    await expect.element(screen.getByRole('row', { name: 'Item 1', exact: true })).toHaveFocus();
    expect(selected).toEqual([]);
    await userEvent.keyboard('{Enter}');
    expect(selected).toEqual(['i1']);
    await screen.getByRole('row', { name: 'Item 2', exact: true }).click({ button: 'right' });
    expect(menus).toEqual(['i2']);
    await userEvent.keyboard('{End}');
    await expect.element(screen.getByRole('row', { name: 'Item 4999' })).toHaveFocus();
    await userEvent.keyboard('{Home}{Enter}');
    await expect.element(screen.getByRole('row', { name: 'Item 0', exact: true })).not.toBeInTheDocument();
  });

  it('brings the selected row into view from the start, before its list has a height', async () => {
    const screen = await render(
      <div style={{ display: 'flex', height: 300 }}>
        <Tree
          label="Sample"
          nodes={nodes}
          expanded={new Set(['group'])}
          onExpand={() => {}}
          selected="i4000"
          onSelect={() => {}}
          renderRow={({ text }) => <span>{text}</span>}
        />
      </div>,
    );
    await expect.element(screen.getByRole('row', { name: 'Item 4000' })).toBeVisible();
  });
});

describe('Tabs', () => {
  const names = ['Overview', 'Cache waterfall', 'Activation budget', 'Event stream', 'Problems'];
  const Narrow = ({ count }: { readonly count?: number }) => (
    <div style={{ display: 'flex', width: 260 }}>
      <Tabs
        label="Instruments"
        tabs={names.map((name) => ({ id: name, label: name, content: name, count }))}
        selected="Event stream"
        onSelect={() => {}}
      />
    </div>
  );
  const isInView = (tab: Element): boolean => {
    const [own, list] = [tab.getBoundingClientRect(), tab.parentElement?.getBoundingClientRect()];
    return list !== undefined && own.left >= list.left - 1 && own.right <= list.right + 1;
  };

  it('keep the chosen one in view, also when numbers come and all of them get wider', async () => {
    const screen = await render(<Narrow />);
    const chosen = screen.getByRole('tab', { name: 'Event stream' });
    await expect.poll(() => isInView(chosen.element())).toBe(true);
    await screen.rerender(<Narrow count={12_345} />);
    await expect.element(chosen).toHaveTextContent('12345');
    await expect.poll(() => isInView(chosen.element())).toBe(true);
  });

  it('are named by their label alone; the number describes them', async () => {
    const screen = await render(<Narrow count={7} />);
    const tab = screen.getByRole('tab', { name: 'Problems', exact: true });
    await expect.element(tab).toHaveAccessibleDescription('7');
  });
});

describe('ProgressBar', () => {
  it('says how far it is, in words and as a share; nothing while the end is unknown', async () => {
    const screen = await render(<ProgressBar label="Skills read:" done={3} total={12} />);
    const bar = screen.getByRole('progressbar', { name: 'Skills read:' });
    await expect.element(bar).toHaveAttribute('aria-valuenow', '25');
    await expect.element(bar).toHaveAttribute('aria-valuetext', '3 of 12');
    await screen.rerender(<ProgressBar label="Skills read:" done={3} />);
    await expect.element(bar).not.toHaveAttribute('aria-valuenow');
    await expect.element(bar).toHaveTextContent('Skills read: 3');
    // Done before it began: no share of nothing.
    await screen.rerender(<ProgressBar label="Skills read:" done={0} total={0} />);
    await expect.element(bar).toHaveAttribute('aria-valuenow', '0');
  });
});
