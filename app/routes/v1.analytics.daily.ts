import { daily, dailySchema, daysQuery } from "../analytics/index.server.ts";
import { endpoint, noBody, noParameters } from "../http/endpoint.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";

const getDaily = endpoint({
  method: "GET",
  operationId: "getDailyBreakdown",
  tag: "Analytics",
  summary: "Daily figures",
  description:
    "One entry for each day, including days without activity. A change counts on the calendar day of the shop's time zone at the time of the change.",
  access: bearer("read_analytics"),
  compressed: true,
  params: noParameters,
  query: daysQuery,
  body: noBody,
  data: dailySchema,
  async handle({ caller, query }) {
    return { data: await daily(caller.shopId, query.days) };
  },
});

const route = resource("/v1/analytics/daily", [getDaily]);

export const loader = route.loader;
export const action = route.action;
