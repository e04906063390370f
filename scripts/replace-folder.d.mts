export declare const BEING_REPLACED: RegExp;
export declare function replaceFolder(folder: string, write: (fresh: string) => void): void;
