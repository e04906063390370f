export interface PageSizes {
  readonly shell: number;
  readonly scene: number;
  readonly plots: number;
  readonly font: number;
  readonly total: number;
}

export const BUDGET_KB: PageSizes;
export function pageSizes(folder: string): PageSizes;
export function overBudget(sizes: PageSizes): readonly string[];
