import { expect } from "vitest";
import type { TestDatabase } from "./database.ts";

/**
 * A place at which an investigation stands still. `before`: its step has done its work, and its record is not stored yet.
 * `after`: the record is being committed, and the worker does not know it yet. The end of an investigation is `end 0`.
 */
export interface Stop {
  investigation_id: string;
  /** The agent and the number of the step. */
  step: string;
  kind: "before" | "after";
}

export interface Victim {
  investigation_id: string;
  /** The steps at which it stops; all of them if this is left out. */
  steps?: readonly string[];
  /** Steps with an odd sum of this and their number stop after their record, the others before it. */
  parity: number;
}

export type Stops = Awaited<ReturnType<typeof createStops>>;

const STOPPED_MS = 120_000;
// The name of a session is how the test sees where it stands. 63 bytes are kept of it.
const TABLES = `
  CREATE TABLE e2e_victims (investigation_id uuid PRIMARY KEY, parity integer NOT NULL, steps text[]);
  CREATE TABLE e2e_passed (investigation_id uuid, step text, kind text, PRIMARY KEY (investigation_id, step));
  CREATE FUNCTION e2e_stop() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
  DECLARE
    place text := CASE TG_TABLE_NAME WHEN 'investigations' THEN 'end 0' ELSE NULL END;
    number integer := 0;
    victim e2e_victims;
  BEGIN
    IF place IS NULL THEN
      place := NEW.agent_id || ' ' || NEW.sequence;
      number := NEW.sequence;
    END IF;
    SELECT * INTO victim FROM e2e_victims WHERE investigation_id = NEW.investigation_id;
    IF victim IS NULL OR NOT coalesce(place = ANY(victim.steps), true) THEN RETURN NEW; END IF;
    IF ((number + victim.parity) % 2 = 1) <> (TG_ARGV[0] = 'after') THEN RETURN NEW; END IF;
    WHILE NOT EXISTS (SELECT FROM e2e_passed WHERE investigation_id = NEW.investigation_id AND step = place) LOOP
      PERFORM set_config('application_name', format('%s %s %s', TG_ARGV[0], NEW.investigation_id, place), false);
      PERFORM pg_sleep(0.02);
    END LOOP;
    PERFORM set_config('application_name', 'passed', false);
    RETURN NEW;
  END $$;
  CREATE TRIGGER e2e_before BEFORE INSERT ON investigation_steps FOR EACH ROW EXECUTE FUNCTION e2e_stop('before');
  CREATE CONSTRAINT TRIGGER e2e_after AFTER INSERT ON investigation_steps DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION e2e_stop('after');
  CREATE TRIGGER e2e_before BEFORE UPDATE ON investigations FOR EACH ROW
    WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION e2e_stop('before');
  CREATE CONSTRAINT TRIGGER e2e_after AFTER UPDATE ON investigations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION e2e_stop('after');`;
const WIDTHS = `
  CREATE TABLE e2e_widths (width integer NOT NULL);
  CREATE FUNCTION e2e_width() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
  BEGIN
    INSERT INTO e2e_widths SELECT count(*) FROM investigations WHERE ended_at IS NULL AND due_at IS NULL;
    RETURN NULL;
  END $$;
  CREATE TRIGGER e2e_width AFTER UPDATE ON investigations EXECUTE FUNCTION e2e_width();`;
const STOPPED = `SELECT application_name FROM pg_stat_activity
  WHERE application_name LIKE 'before %' OR application_name LIKE 'after %'`;
const END_BEFORE = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'before %'";
const CLAIMED = "SELECT investigation_id FROM investigations WHERE ended_at IS NULL AND due_at IS NULL";

/** Lets investigations stop exactly at the records of their steps, by triggers in the database. */
export async function createStops(database: TestDatabase) {
  await database.ask(TABLES);

  async function read(): Promise<Stop[]> {
    const names = await database.ask(STOPPED);
    return names.map((name) => {
      const [kind, investigation_id = "", ...step] = name.split(" ");
      return { investigation_id, step: step.join(" "), kind: kind === "after" ? "after" : "before" };
    });
  }

  async function pass(stops: readonly Stop[]): Promise<void> {
    const rows = stops.map(({ investigation_id, step, kind }) => `('${investigation_id}', '${step}', '${kind}')`);
    await database.ask(`INSERT INTO e2e_passed VALUES ${rows.join(", ")} ON CONFLICT DO NOTHING`);
  }

  return {
    read,

    async arm(victims: readonly Victim[]): Promise<void> {
      for (const { investigation_id, steps, parity } of victims) {
        const list = steps ? `ARRAY[${steps.map((step) => `'${step}'`).join(", ")}]` : "NULL";
        await database.ask(`INSERT INTO e2e_victims VALUES ('${investigation_id}', ${parity}, ${list})`);
      }
    },

    /** Lets all go on, and lets none stand any more. */
    async disarm(): Promise<void> {
      await database.ask("DELETE FROM e2e_victims");
      const stops = await read();
      if (stops.length > 0) await pass(stops);
    },

    /** Ends the sessions of a dead worker, which has its own user, before their records are stored. */
    async endStanding(user: string): Promise<void> {
      await database.ask(`${END_BEFORE} AND usename = '${user}'`);
    },

    /** Starts recording how many investigations are claimed at each moment. */
    async watchWidth(): Promise<void> {
      await database.ask(WIDTHS);
    },

    async readWidest(): Promise<number> {
      return Number((await database.ask("SELECT max(width) FROM e2e_widths"))[0]);
    },

    /** Waits until each claimed investigation stands still, and says where. Empty when none is claimed any more. */
    async untilAllStand(): Promise<Stop[]> {
      let stops: Stop[] = [];
      const countMoving = async () => {
        const claimed = await database.ask(CLAIMED);
        stops = await read();
        const standing = new Set(stops.map(({ investigation_id }) => investigation_id));
        return claimed.filter((id) => !standing.has(id)).length;
      };
      await expect.poll(countMoving, { timeout: STOPPED_MS, interval: 100 }).toBe(0);
      return stops;
    },

    /** Lets go on what stands there. */
    pass,

    /**
     * Ends what a dead worker has left behind: what stands before its record is lost, what stands after it is stored.
     * Returns all of it.
     */
    async passAfterDeath(): Promise<Stop[]> {
      const all: Stop[] = [];
      for (let stops = await read(); stops.length > 0; stops = await read()) {
        await database.ask(END_BEFORE);
        await pass(stops);
        all.push(...stops);
        const isLeft = async () => (await database.ask(STOPPED)).some((name) => stops.some((each) => isAt(each, name)));
        await expect.poll(isLeft, { timeout: STOPPED_MS, interval: 20 }).toBe(false);
      }
      return all;
    },

    /** The recorded steps, and ends, of these investigations at which none of them stood. */
    findMissed: (): Promise<string[]> =>
      database.ask(`SELECT place FROM (
          SELECT investigation_id, agent_id || ' ' || sequence AS place FROM investigation_steps
          UNION ALL SELECT investigation_id, 'end 0' FROM investigations WHERE ended_at IS NOT NULL
        ) AS places JOIN e2e_victims AS victims USING (investigation_id)
        WHERE coalesce(place = ANY(steps), true) AND NOT EXISTS (
          SELECT FROM e2e_passed AS passed WHERE passed.investigation_id = victims.investigation_id AND step = place)`),

    /** The number of passed stop points, by kind. */
    async count(): Promise<string> {
      const [counted = ""] = await database.ask(`SELECT format('%s before and %s after their record',
        count(*) FILTER (WHERE kind = 'before'), count(*) FILTER (WHERE kind = 'after')) FROM e2e_passed`);
      return counted;
    },
  };
}

function isAt({ kind, investigation_id, step }: Stop, name: string): boolean {
  return name === `${kind} ${investigation_id} ${step}`;
}
