import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { problemOf } from '../../../src/core/validation.ts';
import { docsPage } from '../../../src/gateway/documents/docs-page.ts';
import { openApiDocument } from '../../../src/gateway/documents/openapi.ts';
import { exampleOf, fieldLines, typeText } from '../../../src/gateway/documents/schema-text.ts';
import { allRoutes, ROUTES } from '../../../src/protocol/route-table.ts';

const document = openApiDocument({
  version: '1.2.3',
  routes: ROUTES,
  hasToken: true,
});
const json = JSON.parse(JSON.stringify(document)) as typeof document;

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const result = await validator.validate({ ...json });
  expect(result).toMatchObject({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('every contract is an operation with its parameters', () => {
  for (const { method, path, summary } of allRoutes()) {
    const operation = json.paths[path.replace('*}', '}')]?.[method.toLowerCase()];
    expect(operation?.summary).toBe(summary);
    const names = [...path.matchAll(/\{(\w+)/g)].map(([, name]) => name);
    const inPath = (operation?.parameters ?? []).filter(({ in: place }) => place === 'path');
    expect(inPath.map(({ name }) => name)).toEqual(names);
  }
  expect(
    new Set(Object.values(json.paths).flatMap((all) => Object.values(all).map((one) => one.operationId))).size,
  ).toBe(allRoutes().length);
});

test('slow actions tell of Prefer', () => {
  const parameters = json.paths['/api/robot/select']?.['post']?.parameters ?? [];
  expect(parameters.map(({ name, in: place }) => [name, place])).toEqual([['Prefer', 'header']]);
});

test('a rest of a path says that it is one', () => {
  const parameters = json.paths['/api/robots/import/upload/{id}/{path}']?.['put']?.parameters ?? [];
  expect(parameters.map((parameter) => parameter['x-rest'])).toEqual([undefined, true]);
});

describe('the page', () => {
  const page = docsPage(document);

  test('has a command for every row, and loads nothing', () => {
    expect(page.match(/<pre>curl /g)).toHaveLength(allRoutes().length);
    expect(page).not.toMatch(/<script|rel="stylesheet|src=|https?:(?!\/\/127\.0\.0\.1:8765)/);
  });

  test('shows fields with their meaning', () => {
    expect(page).toContain('rad (hinge) or m (slide); clamped to the range');
  });
});

test('examples fit their schemas', () => {
  for (const { body, path } of allRoutes()) {
    if (body) expect([path, problemOf(body, exampleOf(body))]).toEqual([path, null]);
  }
});

test('types in few words', () => {
  expect(typeText({ type: 'integer', minimum: 1 })).toBe('integer ≥ 1');
  expect(typeText({ anyOf: [{ type: 'number' }, { type: 'null' }] })).toBe('number | null');
  expect(typeText({ type: 'array', items: { type: 'number' }, minItems: 7, maxItems: 7 })).toBe('number[7]');
  expect(typeText({ enum: ['a', 'b'] })).toBe('"a" | "b"');
  expect(
    fieldLines({ properties: { a: { type: 'array', items: { properties: { b: { type: 'string' } } } } } }),
  ).toMatchObject([
    { name: 'a', type: 'any[]', depth: 0 },
    { name: 'b', type: 'string', depth: 1 },
  ]);
});

test('every operation is named by a verb and a noun', () => {
  const verbs =
    'cancel check close configure convert copy create delete download focus forget get import inspect launch list load open pin pose preview push refresh reset restart save scan seek select set show step stop upload write';
  const named = new RegExp(`^(${verbs.replaceAll(' ', '|')})([A-Z][a-z0-9]*)+$`);
  expect(Object.keys(ROUTES).filter((name) => !named.test(name))).toEqual([]);
});
