/** The two sources of a feature; the showcase is told anew from time to time. */
export function beside<Source>(database: Source, told: () => Source): { database: Source; showcase: Source } {
  return {
    database,
    get showcase() {
      return told();
    },
  };
}
