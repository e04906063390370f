import { statfs } from 'node:fs/promises';

/** Linux's type numbers of file systems that other machines can write to: nfs, cifs, smb2, smb, fuse (such as sshfs),
 *  9p, ceph, lustre. */
const REMOTE = new Set([0x6969, 0xff534d42, 0xfe534d42, 0x517b, 0x65735546, 0x01021997, 0x00c36400, 0x0bd00bd0]);

/** Returns true if other machines may change the folder. The system sends no events for such changes. */
export async function isRemote(folder: string): Promise<boolean> {
  try {
    return REMOTE.has((await statfs(folder)).type >>> 0);
  } catch {
    return false; // Listing the folder will report the problem.
  }
}
