import { describe, expect, test } from 'vitest';
import { partsOf, RoutePattern } from '../../../src/gateway/kernel/route-pattern.ts';
import { allRoutes } from '../../../src/protocol/route-table.ts';

const upload = new RoutePattern('/api/robots/import/upload/{id}/{path*}');
const params = (url: string) => upload.params(partsOf(url));

test('a pattern states whether it has parameters, and which of two patterns is more specific', () => {
  expect(upload.hasParams).toBe(true);
  expect(new RoutePattern('/healthz').hasParams).toBe(false);
  const literal = new RoutePattern('/api/runs/compare/{id}');
  const general = new RoutePattern('/api/runs/{name}/{id}');
  expect(literal.precedence < general.precedence).toBe(true);
});

test('every contract has a unique pattern that its own path matches', () => {
  for (const { path } of allRoutes()) {
    const url = path.replaceAll(/\{\w+\*?\}/g, 'x');
    expect(new RoutePattern(path).matches(partsOf(url))).toBe(true);
  }
});

test('a path matches segment by segment, and a rest parameter has at least one segment', () => {
  expect(upload.matches(partsOf('/api/robots/import/upload/r1/a.xml'))).toBe(true);
  expect(upload.matches(partsOf('/api/robots/import/upload/r1/meshes/a.stl'))).toBe(true);
  expect(upload.matches(partsOf('/api/robots/import/upload/r1'))).toBe(false);
  expect(upload.matches(partsOf('/api/robots/import/upload//a.xml'))).toBe(false);
  expect(new RoutePattern('/api/robots').matches(partsOf('/api/robots/'))).toBe(false);
});

test('segments are decoded', () => {
  expect(params('/api/robots/import/upload/r%31/meshes/a%20b%C3%A4.stl')).toEqual({
    id: 'r1',
    path: 'meshes/a bä.stl',
  });
});

test('the slashes of a rest parameter may be encoded once', () => {
  for (const rest of ['meshes/left/a.stl', 'meshes%2Fleft%2Fa.stl', 'meshes%2fleft/a.stl']) {
    expect(params(`/api/robots/import/upload/r/${rest}`)).toEqual({ id: 'r', path: 'meshes/left/a.stl' });
  }
  expect(params('/api/robots/import/upload/r/a%252fb')).toEqual({ id: 'r', path: 'a%2fb' });
});

describe('an invalid path segment is refused by the name of the parameter', () => {
  test.each([
    ['/api/robots/import/upload/%zz/a', 'id: "%zz" is not valid percent-encoding. Write a percent sign as %25.'],
    ['/api/robots/import/upload/%ff/a', 'id: "%ff" is percent-encoded, but not as UTF-8'],
    ['/api/robots/import/upload/../a', 'id: must not be ".."'],
    ['/api/robots/import/upload/%2e%2E/a', 'id: must not be ".."'],
    ['/api/robots/import/upload/r/./a', 'path: must not be "."'],
    ['/api/robots/import/upload/r/a/..', 'path: must not be ".."'],
    ['/api/robots/import/upload/r/', 'path: must not be empty'],
    ['/api/robots/import/upload/r/a//b', 'path: must not be empty'],
    ['/api/robots/import/upload/r%2fa/b', 'id: "r/a" must not contain'],
    ['/api/robots/import/upload/r/a%2f%2e%2e', 'path: must not be ".."'],
    ['/api/robots/import/upload/r/..%2f..%2fetc', 'path: must not be ".."'],
    ['/api/robots/import/upload/r/%2fetc/passwd', 'path: must not be empty'],
    ['/api/robots/import/upload/r/a%2f', 'path: must not be empty'],
    ['/api/robots/import/upload/r/a%2f%00', 'path: "\\u0000" must not contain'],
    ['/api/robots/import/upload/r/a%2f..%5cb', 'path: "..\\\\b" must not contain'],
    ['/api/robots/import/upload/r/a%5cb', 'path: "a\\\\b" must not contain'],
    ['/api/robots/import/upload/r/a%00b', 'path: "a\\u0000b" must not contain'],
    ['/api/robots/import/upload/r/a%0d%0ab', 'path: "a\\r\\nb" must not contain'],
  ])('an invalid path segment is refused by the name of the parameter: %s', (url, message) => {
    expect(() => params(url)).toThrow(message);
  });
});
