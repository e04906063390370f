import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { parseQuery, readQuery } from '../../../src/gateway/address/query.ts';
import { ROUTES } from '../../../src/protocol/route-table.ts';

test('every value of a parameter is kept, decoded', () => {
  expect([...parseQuery('a=1&a=2&b&c=x%20y+z&&__proto__=1')]).toEqual([
    ['a', ['1', '2']],
    ['b', ['']],
    ['c', ['x y z']],
    ['__proto__', ['1']],
  ]);
});

test('an invalid encoding is refused with the reason', () => {
  expect(() => parseQuery('q=%zz')).toThrow('query: "%zz" is not valid percent-encoding. Write a percent sign as %25.');
  expect(() => parseQuery('q=%ff')).toThrow('query: "%ff" is percent-encoded, but not as UTF-8');
});

describe('an unknown parameter', () => {
  const { path, query } = ROUTES.listClips;

  test.each([
    ['dataset=a&stautus=raw', 'stautus: is not a known query parameter; did you mean "status"? Known are dataset, q,'],
    ['dataset=a&zzzzzz=1', 'zzzzzz: is not a known query parameter; known are dataset, q, status, findings, failed'],
    ['__proto__=1', '__proto__: is not a known query parameter'],
    ['dataset=a&x%0a=1', '"x\\n": is not a known query parameter'],
  ])('an unknown parameter is refused under /api: %s', (raw, message) => {
    expect(() => readQuery(path, query, raw)).toThrow(message);
  });

  test('an unknown parameter is refused on a route without parameters', () => {
    expect(() => readQuery('/api/jobs', undefined, 'x=1')).toThrow(
      'x: is not a known query parameter: no query parameter is allowed here',
    );
  });

  test('an unknown parameter is ignored outside of /api', () => {
    const tensorboard = ROUTES.openTensorboard;
    expect(readQuery(tensorboard.path, tensorboard.query, 'run=a%2Fb&utm_source=x')).toEqual({ run: 'a/b' });
    expect(readQuery('/healthz', undefined, 'x=1&x=2')).toEqual({});
  });
});

test('a list may be repeated or separated by commas', () => {
  const { path, query } = ROUTES.getPresetSchema;
  const modules = (raw: string) => readQuery(path, query, `base=b&${raw}`)['modules'];
  expect(modules('modules=a,b')).toEqual(['a', 'b']);
  expect(modules('modules=a&modules=b')).toEqual(['a', 'b']);
  expect(() => readQuery(path, query, 'base=a&base=b')).toThrow('base: is given 2 times, expected once');
});

test('an empty name is treated as missing', () => {
  const { path, query } = ROUTES.getCurves;
  expect(readQuery(path, query, 'job=&run=a/b&group=')).toEqual({ run: 'a/b' });
  expect(() => readQuery('/api/x', Type.Object({ name: Type.String({ minLength: 1 }) }), 'name=')).toThrow(
    'name: must be a text that is not empty',
  );
});
