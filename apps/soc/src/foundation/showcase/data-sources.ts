/** The two data sources of a feature. The showcase is rebuilt every hour. */
export interface DataSources<Source> {
  database: Source;
  readonly showcase: Source;
}

export function dataSources<Source>(database: Source, showcase: () => Source): DataSources<Source> {
  return {
    database,
    get showcase() {
      return showcase();
    },
  };
}
