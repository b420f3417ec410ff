import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { notFoundResponse } from "../http/resource.server.ts";

/** Responds to unknown paths under /v1. */
function respond({ request, context }: LoaderFunctionArgs | ActionFunctionArgs): Response {
  return notFoundResponse(context.http, request.method !== "HEAD");
}

export { respond as action, respond as loader };
