import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { problemOf } from '../../../src/core/validation.ts';
import { EXAMPLES } from '../../../src/gateway/documents/examples/all-examples.ts';
import { NAMED_SCHEMAS } from '../../../src/gateway/documents/named-schemas.ts';
import { openApiDocument } from '../../../src/gateway/documents/openapi.ts';
import { fieldLines, type SchemaNode, typeText } from '../../../src/gateway/documents/schema-text.ts';
import { STATUS } from '../../../src/protocol/errors.ts';
import type { RouteSpec } from '../../../src/protocol/route.ts';
import { allRoutes, ROUTES } from '../../../src/protocol/route-table.ts';

const options = {
  version: '1.2.3',
  routes: ROUTES,
  examples: EXAMPLES,
  limits: { jsonBytes: 2 ** 20, uploadBytes: 4 * 2 ** 30 },
};
const document = openApiDocument({ ...options, hasToken: true });
const json = JSON.parse(JSON.stringify(document)) as typeof document;
const operations = Object.values(json.paths).flatMap((methods) => Object.values(methods));
const operationOf = ({ method, path }: RouteSpec) => json.paths[path.replace('*}', '}')]?.[method.toLowerCase()];

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const result = await validator.validate({ ...json });
  expect(result).toMatchObject({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('every contract is an operation with its parameters', () => {
  for (const route of allRoutes()) {
    const operation = operationOf(route);
    expect(operation?.summary).toBe(route.summary);
    const names = [...route.path.matchAll(/\{(\w+)/g)].map(([, name]) => name);
    const inPath = (operation?.parameters ?? []).filter(({ in: place }) => place === 'path');
    expect(inPath.map(({ name }) => name)).toEqual(names);
  }
  expect(new Set(operations.map((one) => one.operationId)).size).toBe(allRoutes().length);
});

test('every operation is named by a verb and a noun', () => {
  const verbs =
    'cancel check close collect compare configure convert copy create delete download edit empty export focus forget generate get import inspect launch list load mark open pick pin play pose preview push refresh rename reset restart save scan seek select set show step start stop undo upload write';
  const named = new RegExp(`^(${verbs.replaceAll(' ', '|')})([A-Z][a-z0-9]*)+$`);
  expect(Object.keys(ROUTES).filter((name) => !named.test(name))).toEqual([]);
});

describe('schemas', () => {
  /** Yields every schema of the document with its location. */
  function* nodes(value: unknown, place: string): Generator<[string, SchemaNode]> {
    if (typeof value !== 'object' || value === null) return;
    yield [place, value as SchemaNode];
    for (const [key, inner] of Object.entries(value)) {
      if (key !== 'example' && key !== 'examples') yield* nodes(inner, `${place}/${key}`);
    }
  }

  test('schemas are referenced by name', () => {
    const whole = { paths: json.paths, schemas: json.components.schemas };
    const places = new Map<string, string[]>();
    const referred = new Set<string>();
    for (const [place, node] of nodes(whole, '')) {
      if (node.$ref) referred.add(node.$ref);
      if (node.type !== 'object' || !node.properties || Object.keys(node.properties).length < 3) continue;
      const text = JSON.stringify(node);
      places.set(text, [...(places.get(text) ?? []), place]);
    }
    expect([...places.values()].filter((at) => at.length > 1)).toEqual([]);
    const unused = Object.keys(NAMED_SCHEMAS).filter((name) => !referred.has(`#/components/schemas/${name}`));
    expect(unused).toEqual([]);
  });

  test("schemas are named after the API's terms", () => {
    expect(Object.keys(json.components.schemas)).toEqual(
      expect.arrayContaining(
        'Busy RobotSummary Joint Wiring RobotSpec Geom Mesh DatasetCounts Scan Clip Preview QaIssue DataOptions Task Preset Module Knob Job Run PlayState PlayOptions Channel Error'.split(
          ' ',
        ),
      ),
    );
  });

  test('schemas describe records, nullable types and alternative replies for generators', () => {
    const { Job, RobotSpec } = json.components.schemas;
    expect(Job?.properties?.['eta']).toEqual({ type: ['number', 'null'], description: 'Estimated remaining time, s' });
    expect(RobotSpec?.properties?.['joints']).toMatchObject({
      additionalProperties: { $ref: '#/components/schemas/JointSpec' },
    });
    const reply = operationOf(ROUTES.launchTraining)?.responses['200']?.content?.['application/json']?.schema;
    expect(reply).toEqual({
      oneOf: [{ $ref: '#/components/schemas/Launched' }, { $ref: '#/components/schemas/LaunchTrial' }],
    });
    expect(JSON.stringify(json)).not.toMatch(/"anyOf"|"patternProperties"/);
  });
});

describe('examples', () => {
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema({ $id: 'document', components: json.components });
  const localise = (schema: object) => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object;
  const fits = (schema: object, value: unknown) => {
    const validate = ajv.compile(localise(schema));
    return validate(value) ? null : validate.errors;
  };

  test.each(Object.entries(ROUTES))('the example of %s is valid', (name, route: RouteSpec) => {
    const operation = operationOf(route)!;
    const media = [
      operation.requestBody?.content['application/json'],
      operation.responses['200']?.content?.['application/json'],
    ];
    const described = [route.body, 'contentType' in route.reply ? undefined : route.reply];
    for (const [i, contract] of described.entries()) {
      if (!contract) continue;
      const { schema, example, examples } = media[i]!;
      const values = examples ? Object.values(examples).map(({ value }) => value) : [example];
      for (const value of values) {
        expect(value, `${name} has an example`).toBeDefined();
        expect(problemOf(contract, value), 'fits its contract').toBeNull();
        expect(fits(schema!, value), 'fits its schema in the document').toBeNull();
      }
    }
    for (const { name: parameter, in: place, schema, example } of operation.parameters ?? []) {
      if (place === 'path') expect(example, `${name} has an example of ${parameter}`).toBeDefined();
      if (example !== undefined) expect([parameter, fits(schema, example)]).toEqual([parameter, null]);
    }
  });
});

describe('errors', () => {
  const statuses = (route: RouteSpec) =>
    Object.keys(operationOf(route)?.responses ?? {})
      .filter((status) => Number(status) >= 400)
      .map(Number);

  test('errors are listed by status, without ranges', () => {
    const names = Object.keys(json.components.responses);
    expect(names).toHaveLength(Object.keys(STATUS).length);
    expect(JSON.stringify(json.paths)).not.toMatch(/"[45]XX"|"default":\{"\$ref"/);
    for (const { responses } of operations) {
      for (const [status, { $ref }] of Object.entries(responses)) {
        if (Number(status) >= 400) expect(names).toContain($ref?.split('/').at(-1));
      }
    }
  });

  test.each<[RouteSpec, number[]]>([
    [ROUTES.getHealth, [401, 403, 500, 503]],
    [ROUTES.listJobs, [400, 401, 403, 500, 503]],
    [ROUTES.getJob, [400, 401, 403, 404, 500, 503]],
    [ROUTES.pinClip, [400, 401, 403, 409, 413, 415, 500, 503]],
    [ROUTES.uploadClip, [400, 401, 403, 404, 413, 500, 503, 507]],
    [ROUTES.deleteDataset, [400, 401, 403, 404, 409, 500, 503, 507]],
    [ROUTES.openWebsocket, [401, 403, 426, 500, 503]],
  ])('errors are those that the route can answer with: $path', (route, expected) => {
    expect(statuses(route)).toEqual(expected);
  });

  test('the description of 409 states its causes', () => {
    for (const route of allRoutes()) {
      const { description } = operationOf(route)?.responses['409'] ?? {};
      expect([route.path, description]).toEqual([
        route.path,
        route.conflict === undefined ? undefined : expect.stringContaining(route.conflict),
      ]);
    }
  });
});

test('limits and defaults are stated', () => {
  expect(json.info.description).toContain('1 MiB, an upload 4 GiB');
  expect(operationOf(ROUTES.uploadClip)?.requestBody?.content['application/octet-stream']?.schema).toMatchObject({
    maxLength: 4 * 2 ** 30,
  });
  expect(operationOf(ROUTES.launchTraining)?.requestBody?.description).toContain('1 MiB');
  const parameters = operationOf(ROUTES.listClips)?.parameters ?? [];
  expect(parameters.find(({ name }) => name === 'size')?.schema).toEqual({
    type: 'integer',
    minimum: 1,
    maximum: 1000,
    default: 50,
  });
});

test('security is optional unless a token is set', () => {
  expect(json.security).toEqual([{ cookie: [] }, { bearer: [] }]);
  expect(openApiDocument({ ...options, hasToken: false }).security).toEqual([{}, { cookie: [] }, { bearer: [] }]);
});

test('slow actions accept the header Prefer', () => {
  const { parameters = [], responses } = operationOf(ROUTES.selectRobot) ?? {};
  expect(parameters.map(({ name, in: place }) => [name, place])).toEqual([['Prefer', 'header']]);
  expect(responses?.['200']).toHaveProperty('headers.Preference-Applied');
});

test('a path parameter with slashes is described', () => {
  const { parameters = [] } = operationOf(ROUTES.uploadModelFile) ?? {};
  expect(parameters.map((parameter) => parameter['x-rest'])).toEqual([undefined, true]);
});

test('a schema is summarised as a short type', () => {
  expect(typeText({ type: 'integer', minimum: 1 })).toBe('integer ≥ 1');
  expect(typeText({ type: ['number', 'null'] })).toBe('number | null');
  expect(typeText({ oneOf: [{ $ref: '#/components/schemas/Job' }, { type: 'null' }] })).toBe('Job | null');
  expect(typeText({ type: 'array', items: { type: 'number' }, minItems: 7, maxItems: 7 })).toBe('number[7]');
  expect(typeText({ enum: ['a', 'b'] })).toBe('"a" | "b"');
});

test('a summary expands unnamed objects in place and links named ones', () => {
  const schema: SchemaNode = {
    properties: {
      a: { type: 'array', items: { type: 'object', properties: { b: { type: 'string', default: 'x' } } } },
      job: { $ref: '#/components/schemas/Job' },
    },
  };
  expect(fieldLines(schema, () => ({}))).toMatchObject([
    { name: 'a', type: 'object[]', depth: 0 },
    { name: 'b', type: 'string', depth: 1, description: 'default `"x"`' },
    { name: 'job', type: 'Job', depth: 0 },
  ]);
});
