/** The data that the platform shows in dummy mode without a database. `demo/showcase.ts` builds it and declares its parts. */
// biome-ignore lint/suspicious/noEmptyInterface: the foundation knows no records of modules.
export interface Showcase {}
