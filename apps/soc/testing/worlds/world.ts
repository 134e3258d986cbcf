/** One object of each kind, by the word that stands before its id in a path. */
export type World = Readonly<Record<string, string>>;

export type Ask = (method: string, path: string, payload?: object) => Promise<{ status: number; body: string }>;
