import { openapi } from "./endpoints.ts";

export const loader = openapi.loader;
export const action = openapi.action;
