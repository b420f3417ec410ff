import { appProxy } from "../surfaces/app-proxy.server.ts";

export { appProxy as action, appProxy as loader };
