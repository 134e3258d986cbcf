/** The answer to a change. In dry_run the service answers what the change would have left. */
export type Changed<Body> = Body | { dry_run: true; preview: Body };

export function isPreview<Body>(answer: Changed<Body>): answer is { dry_run: true; preview: Body } {
  return typeof answer === "object" && answer !== null && "dry_run" in answer && "preview" in answer;
}
