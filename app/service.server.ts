/**
 * What the server process takes from the build. It must not import these modules again by itself: the build has its own copies, and a
 * second copy would be a second pool, a second set of limits and a second log.
 */
import { watchKeyStates } from "./access/index.server.ts";
import { failureResponse } from "./http/answer.server.ts";
import { BODY_LIMIT, tooLarge } from "./http/body.server.ts";
import { clientAddress } from "./http/client-address.server.ts";
import { startLimits } from "./http/limits.server.ts";
import { closeDatabase } from "./platform/database.server.ts";
import { provideEnv, type Env } from "./platform/env.server.ts";
import { Failure } from "./platform/failure.ts";
import { requestId } from "./platform/ids.server.ts";
import { beginStopping, isStopping, onShutdown, stopAll } from "./platform/lifecycle.server.ts";
import { flushLog, log } from "./platform/log.server.ts";

/** @param defaults settings that the process's environment leaves open */
async function start(defaults: Readonly<Record<string, string>>): Promise<Env> {
  const env = provideEnv(defaults);
  onShutdown("database", closeDatabase);
  await startLimits();
  await watchKeyStates();
  return env;
}

export const service = {
  start,
  beginStopping,
  isStopping,
  stopAll,
  log,
  flushLog,
  requestId,
  clientAddress,
  Failure,
  failureResponse,
  bodyLimit: BODY_LIMIT,
  tooLarge,
};

export type Service = typeof service;
