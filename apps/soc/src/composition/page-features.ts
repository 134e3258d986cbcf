import { createEntities, type EntitiesNeeds } from "../reporting/entities/entities.feature.ts";
import { createPages, type PagesNeeds } from "../reporting/pages/pages.feature.ts";
import type { PlatformNeeds } from "./platform-needs.ts";

/** The features whose records the pages show. */
export type ShownRecords = Omit<PagesNeeds, "activity"> & EntitiesNeeds;

/** Creates the features that show the records of many others in one answer. */
export function createPageFeatures({ base }: PlatformNeeds, given: ShownRecords & Pick<PagesNeeds, "activity">) {
  return [createPages(base, given), createEntities(base, given)] as const;
}
