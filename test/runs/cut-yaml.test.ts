import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { cutYaml } from '../../src/runs/params/cut-yaml.ts';

const DUMP = `# written by a trainer
decimation: 4
commands:
  other: 1
  # a comment
  motion:
    class_type: !!python/name:tasks.MotionCommand ''
    motion_file: "data/g1/walks: all/npz"
    range:
    - 1
    - 2
joint_names:
- a
- b
note: |
  text:
   task: of a block

  end
folded: 'one
  two: three'
task: Wbc-G1
flow: {task: other,
  robot: none}
`;

test('only the wanted keys are extracted, with their whole values', () => {
  const cut = cutYaml(DUMP, ['commands.motion.motion_file', 'joint_names', 'task', 'note', 'folded', 'missing'])!;
  const { joint_names, task, note, folded } = parse(DUMP, { logLevel: 'error' });
  expect(parse(cut)).toEqual({
    commands: { motion: { motion_file: 'data/g1/walks: all/npz' } },
    ...{ joint_names, task, note, folded },
  });
  expect(cut).not.toContain('decimation');
  expect(parse(cutYaml(DUMP, ['flow.task'])!)).toEqual({ flow: { task: 'other', robot: 'none' } });
});

test('a text of another form is left to the full parser', () => {
  for (const text of ['{task: a}', '"task": a', '- a\n- b', '---\ntask: a', 'task: a\ntask: b', '  task: a\nrobot: b'])
    expect(cutYaml(text, ['task']), text).toBeNull();
  expect(cutYaml('a:\n  b: 1\n c: 2\n', ['a.b'])).toBeNull();
  expect(cutYaml('', ['task'])).toBe('');
});
