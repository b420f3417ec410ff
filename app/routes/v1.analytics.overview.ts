import { daysQuery, overview, overviewSchema } from "../analytics/index.server.ts";
import { endpoint, noBody, noParameters } from "../http/endpoint.server.ts";
import { bearer } from "../http/v1/policies.server.ts";
import { resource } from "../http/resource.server.ts";

const getOverview = endpoint({
  method: "GET",
  operationId: "getAnalyticsOverview",
  tag: "Analytics",
  summary: "Totals of the last days",
  description:
    "Activity of shoppers, including guests. Changes by staff, imports and privacy requests are excluded. Includes every change whose request has completed.",
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
