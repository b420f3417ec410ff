import type { TestTheme } from "../test-theme.ts";
import { dark } from "./dark.ts";
import { dawn } from "./dawn.ts";
import { debut } from "./debut.ts";
import { empire } from "./empire.ts";
import { focal } from "./focal.ts";
import { horizon } from "./horizon.ts";
import { impact } from "./impact.ts";
import { impulse } from "./impulse.ts";
import { loopSlider } from "./loop-slider.ts";
import { masonry } from "./masonry.ts";
import { merchant } from "./merchant.ts";
import { prestige } from "./prestige.ts";
import { rightToLeft } from "./right-to-left.ts";
import { siblings } from "./siblings.ts";
import { skeleton } from "./skeleton.ts";
import { tailwind } from "./tailwind.ts";
import { textCards } from "./text-cards.ts";
import { warehouse } from "./warehouse.ts";

export const TEST_THEMES: TestTheme[] = [
  dawn,
  horizon,
  skeleton,
  prestige,
  impact,
  impulse,
  warehouse,
  focal,
  empire,
  debut,
  tailwind,
  merchant,
  loopSlider,
  textCards,
  siblings,
  masonry,
  rightToLeft,
  dark,
];
