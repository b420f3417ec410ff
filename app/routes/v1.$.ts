import { v1 } from "../surfaces/v1/index.server.ts";

export { v1 as action, v1 as loader };
