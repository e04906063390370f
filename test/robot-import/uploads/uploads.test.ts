import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { surveyUpload, surveyUploads } from '../../../src/robot-import/uploads/upload-files.ts';
import { Uploads } from '../../../src/robot-import/uploads/uploads.ts';

let base: string;
let root: string;
let uploads: Uploads;
beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'uploads-'));
  root = path.join(base, 'robots/.uploads');
  mkdirSync(path.join(base, 'robots'));
  uploads = new Uploads(root, async (folder) => surveyUpload(folder));
});
afterEach(() => rmSync(base, { recursive: true }));

const never = new AbortController().signal;

async function* bytesOf(...chunks: string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

const receive = (id: string, file: string, ...chunks: string[]) => uploads.receive(id, file, bytesOf(...chunks), never);
const entries = () => (existsSync(root) ? readdirSync(root, { recursive: true, encoding: 'utf8' }).sort() : []);

describe('files', () => {
  test('uploaded files keep their layout, are replaced completely and are counted', async () => {
    expect(await receive('walker', 'walker.xml', '<muj', 'oco/>')).toBe(9);
    await receive('walker', 'meshes/visual/foot.stl', 'solid');
    await receive('walker', 'walker.xml', '<mujoco></mujoco>');
    expect(entries()).toEqual([
      'walker',
      'walker/meshes',
      'walker/meshes/visual',
      'walker/meshes/visual/foot.stl',
      'walker/walker.xml',
    ]);
    expect(readFileSync(path.join(root, 'walker/walker.xml'), 'utf8')).toBe('<mujoco></mujoco>');
    expect(surveyUploads(root)).toMatchObject([{ id: 'walker', files: 2, bytes: 22 }]);
  });

  test.each([
    ['', 'must not be empty'],
    ['../x', 'must not contain ".."'],
    ['a/../../x', 'must not contain ".."'],
    ['/etc/passwd', 'must not be absolute'],
    ['C:/x', 'must not be absolute'],
    ['a//b', 'must not contain empty segments'],
    ['a\\b', 'must use "/"'],
    ['a\u0000b', 'must not contain control characters'],
    ['.git/config', 'is hidden'],
    ['meshes/.DS_Store', 'is hidden'],
    ['meshes/con.stl', 'is a device name on Windows'],
    ['constructor/a.stl', 'is a reserved word of JavaScript'],
    ['a..b.stl', 'must not contain ".."'],
    ['robot.yaml/x', 'must not be in a folder named robot.yaml'],
    [`${'a/'.repeat(17)}b`, 'at most 16 folders deep'],
    ['x'.repeat(300), 'at most 255 bytes'],
  ])('uploaded files with a path such as %j are refused', async (file, text) => {
    await expect(receive('walker', file, 'x')).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringMatching(/^path: /),
    });
    await expect(receive('walker', file, 'x')).rejects.toThrow(text);
    expect(entries()).toEqual([]);
  });

  test.each(['import', 'humanoid', '../up', '.hidden', 'a/b', ''])(
    'uploaded files of a robot %j are refused',
    async (id) => {
      await expect(receive(id, 'a.xml', 'x')).rejects.toThrow(/^id: /);
      expect(entries()).toEqual([]);
    },
  );

  test('uploaded files that are cut off, or whose upload is removed meanwhile, leave nothing', async () => {
    await receive('walker', 'a.xml', 'a');
    async function* broken() {
      yield Buffer.from('half');
      throw new Error('cut off');
    }
    await expect(uploads.receive('walker', 'deep/b.stl', broken(), never)).rejects.toThrow('cut off');
    expect(entries()).toEqual(['walker', 'walker/a.xml']);
    async function* slow() {
      yield Buffer.from('half');
      await uploads.remove('walker');
      yield Buffer.from('whole');
    }
    await expect(uploads.receive('walker', 'b.stl', slow(), never)).rejects.toThrow('was removed in the meantime');
    expect(entries()).toEqual([]);
  });

  test('uploaded files of a client that disconnects are not kept', async () => {
    const gone = new AbortController();
    async function* whole() {
      yield Buffer.from('whole');
      gone.abort();
    }
    await expect(uploads.receive('walker', 'a.xml', whole(), gone.signal)).rejects.toThrow();
    expect(entries()).toEqual([]);
  });

  test('uploaded files never replace a folder, lie below a file or follow a link out of the upload', async () => {
    await receive('walker', 'meshes/a.stl', 'a');
    await expect(receive('walker', 'meshes', 'x')).rejects.toThrow('path: "meshes" is a folder of the upload');
    await expect(receive('walker', 'meshes/a.stl/b', 'x')).rejects.toMatchObject({ code: 'bad_input' });
    const outside = path.join(base, 'outside');
    mkdirSync(outside);
    symlinkSync(outside, path.join(root, 'walker/link'));
    await expect(receive('walker', 'link/evil', 'x')).rejects.toThrow('path: "link/evil" leads out of its folder');
    symlinkSync(path.join(outside, 'file'), path.join(root, 'walker/dangling'));
    await expect(receive('walker', 'dangling', 'x')).rejects.toThrow('leads out of its folder');
    expect(readdirSync(outside)).toEqual([]);
    symlinkSync(outside, path.join(root, 'other'));
    await expect(receive('other', 'evil', 'x')).rejects.toThrow('id: the upload "other" is a link');
    await expect(uploads.remove('other')).rejects.toThrow('unknown upload "other"');
    expect(readdirSync(outside)).toEqual([]);
  });
});

describe('limits', () => {
  test('an upload is limited to 1 GiB, stored and incoming bytes together', async () => {
    await receive('walker', 'small.stl', 'abc');
    writeFileSync(path.join(root, 'walker/large.stl'), '');
    truncateSync(path.join(root, 'walker/large.stl'), 2 ** 30 - 10);
    // Simulate a restart: a new instance counts the files on disk.
    uploads = new Uploads(root, async (folder) => surveyUpload(folder));
    await expect(receive('walker', 'b.stl', '12345678')).rejects.toMatchObject({ code: 'too_large' });
    expect(await receive('walker', 'b.stl', '1234567')).toBe(7);
    await expect(receive('walker', 'c.stl', '1')).rejects.toMatchObject({ code: 'too_large' });
    expect(await receive('walker', 'b.stl', '')).toBe(0);
    expect(await receive('walker', 'c.stl', '1234567')).toBe(7);
    expect(readdirSync(path.join(root, 'walker')).sort()).toEqual(['b.stl', 'c.stl', 'large.stl', 'small.stl']);
  });

  test('an upload is limited to 4999 files, because its robot.yaml is the 5000th', async () => {
    mkdirSync(path.join(root, 'walker'), { recursive: true });
    for (let k = 0; k < 4998; k++) writeFileSync(path.join(root, `walker/${k}.stl`), '');
    await receive('walker', 'last.stl', 'x');
    await receive('walker', 'last.stl', 'replaced');
    await expect(receive('walker', 'more.stl', 'x')).rejects.toThrow('an upload may have at most 4999 files');
    await uploads.remove('walker');
    expect(await receive('walker', 'more.stl', 'x')).toBe(1);
  });
});

describe('a folder of this machine', () => {
  let source: string;
  const copy = (id = 'copied') => uploads.copy(id, source, never);
  beforeEach(() => {
    source = path.join(base, 'source');
    mkdirSync(path.join(source, 'meshes'), { recursive: true });
    mkdirSync(path.join(source, '.git'));
    writeFileSync(path.join(source, '.git/config'), 'x');
    writeFileSync(path.join(source, 'robot.urdf'), '<robot/>');
    writeFileSync(path.join(source, 'meshes/a.stl'), 'solid');
  });

  test('a local folder is copied with its layout and with links inside it as files, without hidden entries', async () => {
    symlinkSync('meshes/a.stl', path.join(source, 'b.stl'));
    symlinkSync('meshes', path.join(source, 'visual'));
    expect(await copy()).toEqual({ files: 4, bytes: 23 });
    expect(entries()).toEqual([
      'copied',
      'copied/b.stl',
      'copied/meshes',
      'copied/meshes/a.stl',
      'copied/robot.urdf',
      'copied/visual',
      'copied/visual/a.stl',
    ]);
    expect(readFileSync(path.join(root, 'copied/b.stl'), 'utf8')).toBe('solid');
  });

  test('a local folder replaces an upload of its id completely', async () => {
    await receive('copied', 'old.xml', 'x');
    await copy();
    expect(readdirSync(path.join(root, 'copied')).sort()).toEqual(['meshes', 'robot.urdf']);
    await receive('copied', 'more.stl', 'x');
    expect(surveyUploads(root)).toMatchObject([{ id: 'copied', files: 3 }]);
  });

  test('a local folder with a link out of it, or a circular link, is refused by name and leaves nothing', async () => {
    symlinkSync('/etc/passwd', path.join(source, 'meshes/passwd.stl'));
    await expect(copy()).rejects.toThrow('source: meshes/passwd.stl is a link that leads out of the folder');
    rmSync(path.join(source, 'meshes/passwd.stl'));
    symlinkSync('..', path.join(source, 'meshes/loop'));
    await expect(copy()).rejects.toThrow('source: meshes/loop is a link to a folder that contains it');
    rmSync(path.join(source, 'meshes/loop'));
    symlinkSync('nowhere', path.join(source, 'lost.stl'));
    await expect(copy()).rejects.toThrow('source: lost.stl does not exist');
    expect(entries()).toEqual([]);
  });

  test.each([
    ['relative/path', 'must be an absolute path'],
    ['/no/such/folder', 'does not exist on the machine'],
    ['/etc/hostname', 'is a file, not a folder'],
  ])('a local folder such as %s is refused', async (folder, text) => {
    source = folder;
    await expect(copy()).rejects.toThrow(text);
  });

  test('a local folder is refused if it contains the robots of the workspace, nothing, or too much', async () => {
    source = base;
    await expect(copy()).rejects.toThrow('contains the robots of this workspace');
    source = path.join(base, 'empty');
    mkdirSync(source);
    await expect(copy()).rejects.toThrow('contains no files');
    writeFileSync(path.join(source, 'large.stl'), '');
    truncateSync(path.join(source, 'large.stl'), 2 ** 30 + 1);
    await expect(copy()).rejects.toMatchObject({ code: 'too_large' });
    expect(entries()).toEqual([]);
  });

  test('cancelling the copy of a local folder keeps the previous upload', async () => {
    await receive('copied', 'old.xml', 'x');
    await expect(uploads.copy('copied', source, AbortSignal.abort())).rejects.toThrow();
    expect(entries()).toEqual(['copied', 'copied/old.xml']);
  });
});
