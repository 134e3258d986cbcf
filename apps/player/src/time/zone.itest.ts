import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { zoneinfoRules } from "../../testing/zoneinfo.ts";
import { parseZone } from "./zone.ts";

/** Asks glibc about each rule: on both sides of every change from 2020 to 2040, and at random instants between. */
const GLIBC = `
import json, os, random, sys, time
seed, total = int(sys.argv[1]), int(sys.argv[2])
begin, end = 1577836800, 2240611200
chance = random.Random(seed)
rules = json.load(sys.stdin)
def change(low, high):
    while high - low > 1:
        middle = (low + high) // 2
        if time.localtime(middle).tm_gmtoff == time.localtime(low).tm_gmtoff: low = middle
        else: high = middle
    return [low, high]
answers = []
for rule in rules:
    os.environ["TZ"] = rule
    time.tzset()
    instants = [chance.randrange(begin, end) for _ in range(-(-total // len(rules)))]
    for day in range(begin, end, 86400):
        if time.localtime(day).tm_gmtoff != time.localtime(day + 86400).tm_gmtoff:
            instants += change(day, day + 86400)
    shown = [(instant, time.localtime(instant)) for instant in instants]
    answers.append([rule, [[i, t.tm_gmtoff, t.tm_year, t.tm_mon, t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec, (t.tm_wday + 1) % 7] for i, t in shown]])
json.dump(answers, sys.stdout)
`;

type Answer = [rule: string, shown: [instant: number, ...fields: number[]][]];

async function askGlibc(rules: readonly string[], total: number): Promise<Answer[]> {
  const child = spawn("python3", ["-c", GLIBC, "20261115", String(total)], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(rules));
  return JSON.parse(await text(child.stdout));
}

function shownBy(rule: string, instant: number): number[] {
  const zone = parseZone(rule);
  const { year, month, day, hour, minute, second, weekday } = zone.localOf(instant);
  return [instant, zone.offsetAt(instant), year, month, day, hour, minute, second, weekday];
}

it("agrees with glibc for the rule of every zone of the world", async () => {
  const total = process.env.PROVE === "full" ? 40_000 : 4000;
  const answers = await askGlibc(zoneinfoRules(), total);
  const pairs = answers.flatMap(([rule, shown]) => shown.map((fields) => ({ rule, fields })));
  const wrong = pairs.filter(({ rule, fields }) => shownBy(rule, fields[0]).join() !== fields.join());
  expect(answers.length).toBeGreaterThan(60);
  expect(pairs.length).toBeGreaterThanOrEqual(total);
  expect(wrong).toEqual([]);
}, 120_000);
