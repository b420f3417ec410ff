import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { notFound } from "../http/resource.server.ts";

/** Whatever else is asked for under /v1. */
function answer({ request, context }: LoaderFunctionArgs | ActionFunctionArgs): Response {
  return notFound(context.http, request.method !== "HEAD");
}

export { answer as action, answer as loader };
