import { appProxy } from "../surfaces/app-proxy/index.server.ts";

export { appProxy as action, appProxy as loader };
