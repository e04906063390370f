import type { RouteSpec } from '../../protocol/route.ts';
import { partsOf, type RoutePattern } from './route-pattern.ts';

interface Routed {
  readonly spec: RouteSpec;
  readonly pattern: RoutePattern;
}

/** HTTP methods in the order of the `Allow` header. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] as const;

/** Finds the route of a method and path. Literal segments win over parameters. HEAD uses the route of GET. */
export class Router<R extends Routed> {
  /** routes without parameters, by path, then by method */
  readonly #literal = new Map<string, Map<string, R>>();
  /** routes with parameters, most specific pattern first */
  readonly #patterns: readonly R[];

  constructor(routes: readonly R[]) {
    const patterns: R[] = [];
    for (const route of routes) {
      if (route.pattern.hasParams) {
        patterns.push(route);
        continue;
      }
      const methods = this.#literal.get(route.spec.path) ?? new Map<string, R>();
      methods.set(route.spec.method, route);
      this.#literal.set(route.spec.path, methods);
    }
    this.#patterns = patterns.sort((a, b) => compare(a.pattern.precedence, b.pattern.precedence));
  }

  find(method: string, path: string): R | null {
    const wanted = method === 'HEAD' ? 'GET' : method;
    const literal = this.#literal.get(path)?.get(wanted);
    if (literal) return literal;
    const parts = partsOf(path);
    return this.#patterns.find(({ spec, pattern }) => spec.method === wanted && pattern.matches(parts)) ?? null;
  }

  /** Returns the methods of all routes that match `path`, including HEAD. */
  methodsOf(path: string): string[] {
    const methods = new Set<string>(this.#literal.get(path)?.keys());
    const parts = partsOf(path);
    for (const { spec, pattern } of this.#patterns) if (pattern.matches(parts)) methods.add(spec.method);
    if (methods.has('GET')) methods.add('HEAD');
    return METHODS.filter((method) => methods.has(method));
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
