/**
 * The data that the platform shows in dummy mode without a database. A feature adds the data of its demo store:
 * `declare module "…/foundation/showcase/showcase.ts" { interface Showcase { … } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: features add their data to it.
export interface Showcase {}
