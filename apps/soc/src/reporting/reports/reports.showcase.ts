import { pageInMemory } from "../../foundation/lists/order.ts";
import { isListed, NEWEST_FIRST, type ReportSummary } from "./report.ts";
import type { ReportsStore } from "./reports.store.ts";

declare module "../../foundation/showcase/showcase.ts" {
  interface Showcase {
    reports: ReportSummary[];
  }
}

/** Serves the showcase reports. The content is rendered from the story when a client reads it. */
export function createShowcaseReportsStore(
  reports: readonly ReportSummary[],
  buildContent: (report: ReportSummary) => Promise<string>,
): ReportsStore {
  return {
    list: async (query) => pageInMemory(reports, NEWEST_FIRST, query, (report) => isListed(report, query)),

    async find(id) {
      const report = reports.find((each) => each.id === id);
      return report && { ...report, content: await buildContent(report) };
    },
  };
}
