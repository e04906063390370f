/** The compiler API of TypeScript 6, as its own package would export it. */
export { ts as default } from '@ts-morph/common';
