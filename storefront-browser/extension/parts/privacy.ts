// Loaded once the browser knows a shopper: without one there is nothing to store.
import { followConsent } from "../../shared/keeping.ts";

followConsent();
