import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { notFoundResponse } from "../http/resource.server.ts";

/** Whatever else is asked for under /v1. */
function answer({ request, context }: LoaderFunctionArgs | ActionFunctionArgs): Response {
  return notFoundResponse(context.http, request.method !== "HEAD");
}

export { answer as action, answer as loader };
