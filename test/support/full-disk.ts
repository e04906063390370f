import { spawnSync } from 'node:child_process';

/** True if this user cannot mount a small file system, which the tests use as a full disk. */
export const cannotMount =
  spawnSync('sh', ['-c', 'test "$(id -u)" = 0 && mount -t tmpfs -o size=64k none /mnt && umount /mnt']).status !== 0;
