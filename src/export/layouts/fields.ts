import { badInput } from '../../core/errors.ts';
import { asMap, type ParamsMap, valueAt } from '../../runs/params/params-file.ts';

/** Reads fields of a parameters file. Error messages contain the name of the file. */
export class Fields {
  readonly #map: ParamsMap;
  readonly #file: string;

  /** @throws StudioError bad_input unless `value` is a mapping */
  constructor(value: unknown, file: string) {
    this.#map = asMap(value, file);
    this.#file = file;
  }

  /** Returns the keys of a mapping, in the order of the file. */
  keys(...place: readonly string[]): string[] {
    return Object.keys(asMap(valueAt(this.#map, ...place) ?? {}, `${this.#file}: ${place.join('.')}`));
  }

  has(...place: readonly string[]): boolean {
    return (valueAt(this.#map, ...place) ?? null) !== null;
  }

  text(...place: readonly string[]): string {
    const value = valueAt(this.#map, ...place);
    if (typeof value !== 'string' || value === '') throw this.wrong(place, 'must be a text');
    return value;
  }

  number(...place: readonly string[]): number {
    const value = valueAt(this.#map, ...place);
    if (typeof value !== 'number' || !Number.isFinite(value)) throw this.wrong(place, 'must be a finite number');
    return value;
  }

  /** Returns an integer from 1 to 1000; 1 if it is missing. */
  history(...place: readonly string[]): number {
    const value = valueAt(this.#map, ...place) ?? 1;
    if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > 1000)
      throw this.wrong(place, 'must be an integer from 1 to 1000');
    return Math.max(1, value as number);
  }

  texts(...place: readonly string[]): string[] {
    const value = valueAt(this.#map, ...place);
    if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
      throw this.wrong(place, 'must be a list of names');
    return value as string[];
  }

  /** @param count expected length */
  numbers(count: number, ...place: readonly string[]): number[] {
    const value = valueAt(this.#map, ...place);
    if (!Array.isArray(value) || !value.every((item) => typeof item === 'number' && Number.isFinite(item)))
      throw this.wrong(place, 'must be a list of finite numbers');
    if (value.length !== count) throw this.wrong(place, `has ${value.length} numbers, expected ${count}`);
    return value as number[];
  }

  wrong(place: readonly string[], text: string): Error {
    return badInput(`${this.#file}: ${place.join('.')}: ${text}`);
  }
}
