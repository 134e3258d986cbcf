/**
 * Names the places of one execution's course, one after the other. A boundary is named by what was before it: when a turn is
 * repeated because the machine was too slow for once, those behind it keep their names.
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
