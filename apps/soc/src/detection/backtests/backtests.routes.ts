import { callerOf } from "../../foundation/caller/caller.ts";
import { PageOf, PreviewOf, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import { parseMultiValueParams } from "../../foundation/lists/multi-value-params.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, answerChange, operation, type Routes } from "../../foundation/runtime/operation.ts";
import {
  BacktestBody,
  BacktestDetailBody,
  BacktestParams,
  CreateBacktestRequest,
  ListBacktestsQuery,
} from "./backtests.schema.ts";
import type { BacktestsService } from "./backtests.service.ts";

const reading = { needs: ["detections:read", "siem:search"], byKey: true } as const;
const working = { needs: ["detections:read", "siem:search"], effect: "change" } as const;

export function backtestsRoutes(backtests: BacktestsService, changes: ChangesService): Routes {
  return async (app) => {
    app.get(
      "/detections/backtests",
      {
        ...operation("listBacktests", "List backtests", reading, {
          description: "Newest first: the caller's own, for an administrator all.",
          querystring: ListBacktestsQuery,
          response: { 200: PageOf(BacktestBody) },
        }),
        preValidation: parseMultiValueParams(["status", "rule_id"]),
      },
      async (request) => backtests.list(callerOf(request), request.query),
    );

    app.post(
      "/detections/backtests",
      operation("createBacktest", "Start a backtest", working, {
        description:
          "Runs in the worker in 48 slices, as the schedule of the rule would. 429 when three of the caller's are unfinished, 409 when 50 are.",
        body: CreateBacktestRequest,
        response: { 200: PreviewOf(BacktestDetailBody), 202: BacktestDetailBody },
      }),
      async (request, reply) => {
        const prepared = await backtests.prepare(callerOf(request), request.body);
        const requested = await changes.run(request, (tx, caller) => backtests.request(tx, caller, prepared));
        return answer(reply, 202, requested);
      },
    );

    app.get(
      "/detections/backtests/:backtest_id",
      operation("getBacktest", "Get a backtest", reading, {
        description: "With the results so far. `known` is null until it is done.",
        params: BacktestParams,
        response: { 200: BacktestDetailBody },
      }),
      async (request) => backtests.get(callerOf(request), request.params.backtest_id),
    );

    app.post(
      "/detections/backtests/:backtest_id/cancel",
      operation("cancelBacktest", "Cancel a backtest", working, {
        description: "Keeps the results so far. 409 when it has ended.",
        params: BacktestParams,
        response: { 200: WithPreviewOf(BacktestDetailBody) },
      }),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) =>
          backtests.cancel(tx, caller, request.params.backtest_id),
        ),
    );
  };
}
