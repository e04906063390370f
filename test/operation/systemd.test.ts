import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const UNIT = readFileSync(path.join(ROOT, 'deploy/motion-studio.service'), 'utf8');

/** All values of a setting, in the order of the file. */
const values = (name: string) => [...UNIT.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map((match) => match[1]);

test('stopping the unit does not stop trainings or change their files', () => {
  expect(values('KillMode')).toEqual(['process']);
  // Both would take the user or files away from processes that outlive the unit.
  expect(values('DynamicUser')).toEqual([]);
  expect(values('PrivateTmp')).toEqual([]);
});

test('the stop timeout of the unit exceeds that of the service, and a usage error is not retried', () => {
  expect(Number(values('TimeoutStopSec')[0])).toBeGreaterThan(5);
  expect(values('Restart')).toEqual(['on-failure']);
  expect(values('RestartPreventExitStatus')).toEqual(['2']);
});

test('the workspace is in a folder that the unit may write to', () => {
  expect(values('ProtectSystem')).toEqual(['strict']);
  expect(values('StateDirectory')).toEqual(['motion-studio']);
  expect(values('Environment')).toContain('MOTION_STUDIO_WORKSPACE=/var/lib/motion-studio/workspace');
});

const analyze = (args: readonly string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' });
const missing = analyze(['--version']).status === 0 ? null : 'systemd-analyze';
if (missing !== null) console.log(`skipped: the unit is not verified: needs ${missing}`);

describe.skipIf(missing !== null)('by systemd-analyze', () => {
  let folder: string;
  let unit: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'motion-studio-unit-'));
    unit = path.join(folder, 'motion-studio.service');
    // Replaces the paths of an installation by this machine's Node and this build.
    const here = UNIT.replace('/usr/bin/node /opt/motion-studio', `${process.execPath} ${ROOT}`);
    writeFileSync(unit, here);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('every line of the unit is valid for systemd-analyze', () => {
    const { status, stdout, stderr } = analyze(['verify', unit]);
    expect([status, `${stdout}${stderr}`]).toEqual([0, '']);
  });

  test('systemd-analyze rates the exposure of the unit at 3.0 of 10 or less', () => {
    const { status, stdout, stderr } = analyze(['security', '--offline=yes', '--threshold=30', unit]);
    if (stderr.includes('unrecognized option')) return; // systemd before 250
    expect([status, /Overall exposure level.*/.exec(stdout)?.[0]]).toEqual([0, expect.stringContaining('OK')]);
  });
});
