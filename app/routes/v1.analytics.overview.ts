import { daysQuery, overview, overviewSchema } from "../analytics/index.server.ts";
import { endpoint, noBody, noParameters } from "../http/endpoint.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";

const getOverview = endpoint({
  method: "GET",
  operationId: "getAnalyticsOverview",
  tag: "Analytics",
  summary: "The last days at a glance",
  description:
    "What shoppers did themselves, guests included; what staff, imports and privacy requests change is left out. Every change that was answered before is in it.",
  access: bearer("read_analytics"),
  compressed: true,
  params: noParameters,
  query: daysQuery,
  body: noBody,
  data: overviewSchema,
  async handle({ caller, query }) {
    return { data: await overview(caller.shopId, query.days) };
  },
});

const route = resource("/v1/analytics/overview", [getOverview]);

export const loader = route.loader;
export const action = route.action;
