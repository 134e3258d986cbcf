export { createAttention } from "./attention/attention.feature.ts";
export { createEntities } from "./entities/entities.feature.ts";
export { createModeProof } from "./mode-proof/mode-proof.feature.ts";
export { formatProofVerdict, isModeProof, verifyProof } from "./mode-proof/verify-proof.ts";
export { createPages } from "./pages/pages.feature.ts";
export { createReports } from "./reports/reports.feature.ts";
export { createStats } from "./stats/stats.feature.ts";
