import { webClock, workerClock } from "./clocks.ts";
import { hotShop, receiverHangs } from "./neighbours.ts";
import { linkCut, linkSilent, linkSlow, redisGone, redisHangs } from "./network.ts";
import {
  connectionsExhausted,
  diskFull,
  postgresKilled,
  postgresPaused,
  postgresRestarted,
  primaryVanished,
  standbyGone,
  standbyPromoted,
} from "./postgres.ts";
import { coldStart, rollingRestart, webKilled, workerKilled } from "./processes.ts";
import type { Scenario } from "./scenario.ts";

/** All scenarios, in the order in which they run. */
export const SCENARIOS: readonly Scenario[] = [
  webKilled,
  workerKilled,
  rollingRestart,
  postgresKilled,
  postgresRestarted,
  standbyPromoted,
  primaryVanished,
  postgresPaused,
  standbyGone,
  connectionsExhausted,
  diskFull,
  linkCut,
  linkSilent,
  linkSlow,
  redisGone,
  redisHangs,
  webClock,
  workerClock,
  receiverHangs,
  hotShop,
  coldStart,
];
