/**
 * Names the crash points of one execution in order. A turn is named after the point before it, so that later points
 * keep their names when a slow machine causes an extra turn.
 */
export function createPlaceNames(): (place: string, step_id: string) => string {
  let before = "the start";
  let turns = 0;
  return (place, step_id) => {
    if (place === "turn") {
      turns += 1;
      return `turn ${turns} after ${before}`;
    }
    turns = 0;
    before = `${place} ${step_id}`;
    return before;
  };
}
