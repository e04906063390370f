/** @returns the specifiers of all imports, re-exports and dynamic imports in a source text, ignoring comments */
export function importsOf(text: string): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
  const statements =
    /(?:^|[;\s}])(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;
  return [...code.matchAll(statements)].map((match) => (match[1] ?? match[2] ?? match[3])!);
}
