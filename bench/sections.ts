import type { Section } from "./options.ts";
import type { Bench } from "./sections/bench.ts";
import { admin } from "./sections/admin.ts";
import { besideFanOut } from "./sections/beside.ts";
import { besideEmails } from "./sections/beside-emails.ts";
import { citus } from "./sections/citus.ts";
import { blocking } from "./sections/blocking.ts";
import { cards } from "./sections/cards.ts";
import { replay, streams } from "./sections/changes.ts";
import { emails } from "./sections/emails.ts";
import { fairness } from "./sections/fairness.ts";
import { fanOut } from "./sections/fan-out.ts";
import { memory, token } from "./sections/footprint.ts";
import { klaviyo } from "./sections/klaviyo.ts";
import { batch, details, first } from "./sections/lists.ts";
import { orders } from "./sections/orders.ts";
import { outbox } from "./sections/outbox.ts";
import { priceChange } from "./sections/price-change.ts";
import { reports } from "./sections/reports.ts";
import { retention } from "./sections/retention.ts";
import { add, long, page, proxy, remove, size } from "./sections/requests.ts";
import { sync } from "./sections/sync.ts";
import { variantIndex } from "./sections/variant-index.ts";
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
  emails,
  "beside-emails": besideEmails,
  klaviyo,
  "price-change": priceChange,
  "fan-out": fanOut,
  beside: besideFanOut,
  "variant-index": variantIndex,
  sync,
  orders,
  replay,
  streams,
  admin,
  cards,
  blocking,
  citus,
};
