/** The id of one object of each kind, by the path segment before the id. */
export type World = Readonly<Record<string, string>>;

export type SendRequest = (method: string, path: string, payload?: object) => Promise<{ status: number; body: string }>;
