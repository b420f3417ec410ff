import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { turnWorkflow } from "../../devstore/actions/flow.ts";
import { turnOn } from "../support/app/alerts.ts";
import { connectShop, type ConnectedShop } from "../support/app/merchant.ts";
import { client, type Call } from "../support/app/client.ts";
import { exchange } from "../support/app/shop.ts";
import { startConnected, type Connected } from "../support/shopify/connected-shop.ts";
import { until } from "../support/until.ts";
