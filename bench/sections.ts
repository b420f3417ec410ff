import type { Section } from "./options.ts";
import type { Bench } from "./sections/bench.ts";
import { admin } from "./sections/admin.ts";
import { citus } from "./sections/citus.ts";
import { cards } from "./sections/cards.ts";
import { replay, streams } from "./sections/changes.ts";
import { fairness } from "./sections/fairness.ts";
import { memory, token } from "./sections/footprint.ts";
import { batch, details, first } from "./sections/lists.ts";
import { outbox } from "./sections/outbox.ts";
import { reports } from "./sections/reports.ts";
import { retention } from "./sections/retention.ts";
import { add, long, page, proxy, remove, size } from "./sections/requests.ts";
import { webhooks } from "./sections/webhooks.ts";
import type { Row } from "./table.ts";

/** The function of each section. It starts the servers that it needs; the caller stops them. */
export const MEASURE: Record<Section, (bench: Bench) => Promise<Row[]>> = {
  get: page,
  first,
  details,
  batch,
  long,
  size,
  proxy,
  add,
  delete: remove,
  token,
  memory,
  outbox,
  reports,
  fairness,
  retention,
  webhooks,
  replay,
  streams,
  admin,
  cards,
  citus,
};
