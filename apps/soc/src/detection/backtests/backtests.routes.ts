import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { PageOf, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { splitSeveral } from "../../foundation/lists/several.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
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

export function backtestsRoutes(backtests: BacktestsService, changes: ChangesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/detections/backtests",
      {
        config: reading,
        preValidation: splitSeveral(["status", "rule_id"]),
        schema: {
          operationId: "listBacktests",
          summary: "List backtests",
          querystring: ListBacktestsQuery,
          response: { 200: PageOf(BacktestBody) },
        },
      },
      async (request) => backtests.list(callerOf(request), request.query),
    );

    app.post(
      "/detections/backtests",
      {
        config: working,
        schema: {
          operationId: "createBacktest",
          summary: "Start a backtest",
          body: CreateBacktestRequest,
          response: { 200: PreviewOf(BacktestDetailBody), 202: BacktestDetailBody },
        },
      },
      async (request, reply) => {
        const prepared = await backtests.prepare(callerOf(request), request.body);
        const requested = await changes.run(request, (tx, caller) => backtests.request(tx, caller, prepared));
        return answer(reply, 202, requested);
      },
    );

    app.get(
      "/detections/backtests/:backtest_id",
      {
        config: reading,
        schema: {
          operationId: "getBacktest",
          summary: "Get a backtest",
          params: BacktestParams,
          response: { 200: BacktestDetailBody },
        },
      },
      async (request) => backtests.get(callerOf(request), request.params.backtest_id),
    );

    app.post(
      "/detections/backtests/:backtest_id/cancel",
      {
        config: working,
        schema: {
          operationId: "cancelBacktest",
          summary: "Cancel a backtest",
          params: BacktestParams,
          response: { 200: Type.Union([BacktestDetailBody, PreviewOf(BacktestDetailBody)]) },
        },
      },
      async (request, reply) => {
        const { backtest_id } = request.params;
        const cancelled = await changes.run(request, (tx, caller) => backtests.cancel(tx, caller, backtest_id));
        return answer(reply, 200, cancelled);
      },
    );
  };
}
