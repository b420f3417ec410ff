import {
  BACK_LENGTHS,
  BAG_LENGTHS,
  colours,
  grades,
  SHOES_36_TO_41,
  SHOES_41_TO_46,
  SIZES_S_TO_L,
  SIZES_XS_TO_XL,
  ZIP_SIDES,
} from "./variant-options.ts";
import type { Option } from "./variant-options.ts";

/** How often shoppers save a product. An ignored one is never saved. */
export type Popularity = "loved" | "liked" | "quiet" | "ignored";

/** A product of the table. `cents` is the lowest price in euro cents. */
export interface ProductLine {
  title: string;
  vendor: string;
  cents: number;
  options?: readonly Option[];
  /** "quiet" by default */
  popularity?: Popularity;
  /** titles of the sold-out variants, or "all" */
  soldOut?: "all" | readonly string[];
}

export interface Category {
  productType: string;
  products: readonly ProductLine[];
}

const HOUSE = "Larkfell";
const SHELTER = "Tammerholt";
const CLOTHING = "Oskvarn";
const SHOES = "Brindmoor";
const KITCHEN = "Pellwater";
const ROCK = "Quillbeck";
const NIGHT = "Ardenfrost";

const SHELL_COLOURS = colours("Moss", "Ember");
const SOFT_COLOURS = colours("Oat", "Midnight");
const BOTTLE_COLOURS = colours("Slate", "Fern");

/**
 * The catalogue. Loved are the things one dreams of before a trip; ignored are the spare parts that nobody needs to
 * remember. What is loved sells out first, and in the popular sizes.
 */
export const CATEGORIES: readonly Category[] = [
  {
    productType: "Tents",
    products: [
      {
        title: "Hollowbrook 1 Solo Tent",
        vendor: SHELTER,
        cents: 249_00,
        options: [colours("Moss", "Sand")],
        popularity: "liked",
      },
      {
        title: "Hollowbrook 2 Trekking Tent",
        vendor: SHELTER,
        cents: 329_00,
        options: [colours("Moss", "Rust", "Slate")],
        popularity: "loved",
        soldOut: ["Moss"],
      },
      {
        title: "Hollowbrook 3 Trekking Tent",
        vendor: SHELTER,
        cents: 399_00,
        options: [colours("Moss", "Rust")],
        popularity: "liked",
      },
      {
        title: "Skylark Ultralight Shelter",
        vendor: NIGHT,
        cents: 479_00,
        options: [colours("Pebble", "Lichen")],
        popularity: "liked",
      },
      {
        title: "Wrenfold Tunnel Tent",
        vendor: SHELTER,
        cents: 449_00,
        options: [grades(["3 person", 60, 0], ["4 person", 40, 80_00]), colours("Pine", "Clay")],
      },
      {
        title: "Meadowhouse Family Tent",
        vendor: SHELTER,
        cents: 629_00,
        options: [grades(["4 person", 45, 0], ["6 person", 55, 150_00])],
        popularity: "liked",
        soldOut: ["6 person"],
      },
      {
        title: "Tarnlight Bivy Bag",
        vendor: NIGHT,
        cents: 139_00,
        options: [grades(["Regular", 65, 0], ["Long", 35, 15_00])],
      },
      {
        title: "Leeward Tarp",
        vendor: SHELTER,
        cents: 79_00,
        options: [grades(["3 x 3 m", 50, 0], ["3 x 4 m", 30, 20_00], ["4 x 4 m", 20, 40_00]), colours("Moss", "Sand")],
        popularity: "liked",
      },
      {
        title: "Hollowbrook Groundsheet",
        vendor: SHELTER,
        cents: 34_00,
        options: [grades(["1 person", 25, 0], ["2 person", 50, 6_00], ["3 person", 25, 12_00])],
      },
      {
        title: "Spare Tent Pegs",
        vendor: HOUSE,
        cents: 9_90,
        options: [grades(["6 pegs", 60, 0], ["12 pegs", 40, 8_00])],
        popularity: "ignored",
      },
    ],
  },
  {
    productType: "Packs",
    products: [
      {
        title: "Hedgerow 20 Daypack",
        vendor: HOUSE,
        cents: 89_00,
        options: [colours("Moss", "Ember", "Midnight", "Oat")],
        popularity: "loved",
      },
      {
        title: "Hedgerow 28 Daypack",
        vendor: HOUSE,
        cents: 109_00,
        options: [colours("Moss", "Ember", "Midnight")],
        popularity: "liked",
      },
      {
        title: "Ridgewalk 45 Trekking Pack",
        vendor: HOUSE,
        cents: 189_00,
        options: [BACK_LENGTHS, colours("Slate", "Rust")],
        popularity: "liked",
      },
      {
        title: "Ridgewalk 65 Trekking Pack",
        vendor: HOUSE,
        cents: 229_00,
        options: [BACK_LENGTHS, colours("Slate", "Rust", "Pine")],
        popularity: "liked",
        soldOut: ["M/L / Slate"],
      },
      {
        title: "Swiftlet Running Vest",
        vendor: CLOTHING,
        cents: 119_00,
        options: [SIZES_S_TO_L, colours("Chalk", "Ink")],
      },
      { title: "Pocketwood Hip Pack", vendor: HOUSE, cents: 39_00, options: [colours("Moss", "Ember", "Oat")] },
      {
        title: "Harbour Duffel",
        vendor: HOUSE,
        cents: 79_00,
        options: [grades(["40 L", 45, 0], ["60 L", 35, 20_00], ["90 L", 20, 40_00]), colours("Ink", "Clay")],
        popularity: "liked",
      },
      { title: "Cragside 32 Climbing Pack", vendor: ROCK, cents: 149_00, options: [colours("Ink", "Ember")] },
      {
        title: "Pack Rain Cover",
        vendor: HOUSE,
        cents: 22_00,
        options: [grades(["20-30 L", 40, 0], ["35-50 L", 35, 3_00], ["55-80 L", 25, 6_00])],
      },
    ],
  },
  {
    productType: "Sleeping",
    products: [
      {
        title: "Nightjar 0 Down Sleeping Bag",
        vendor: NIGHT,
        cents: 289_00,
        options: [BAG_LENGTHS, ZIP_SIDES],
        popularity: "loved",
        soldOut: ["Regular / Left zip"],
      },
      {
        title: "Nightjar -8 Down Sleeping Bag",
        vendor: NIGHT,
        cents: 389_00,
        options: [BAG_LENGTHS, ZIP_SIDES],
        popularity: "liked",
      },
      { title: "Dormouse Synthetic Sleeping Bag", vendor: HOUSE, cents: 119_00, options: [BAG_LENGTHS, ZIP_SIDES] },
      { title: "Fledgling Kids' Sleeping Bag", vendor: HOUSE, cents: 69_00, options: [colours("Fern", "Plum")] },
      {
        title: "Cloudbank Insulated Mat",
        vendor: NIGHT,
        cents: 159_00,
        options: [grades(["Regular", 50, 0], ["Long", 25, 15_00], ["Wide", 25, 20_00])],
        popularity: "liked",
      },
      { title: "Stubble Foam Mat", vendor: HOUSE, cents: 34_90, options: [colours("Moss", "Sand")] },
      {
        title: "Cloudbank Camp Pillow",
        vendor: NIGHT,
        cents: 36_00,
        options: [colours("Slate", "Plum")],
        popularity: "liked",
      },
      {
        title: "Sleeping Bag Liner",
        vendor: NIGHT,
        cents: 29_00,
        options: [grades(["Cotton", 55, 0], ["Silk", 45, 36_00])],
      },
      {
        title: "Two Oaks Hammock",
        vendor: SHELTER,
        cents: 59_00,
        options: [colours("Fern", "Rust", "Ink")],
        popularity: "liked",
      },
      {
        title: "Hearthside Camp Blanket",
        vendor: CLOTHING,
        cents: 84_00,
        options: [colours("Oat", "Ember", "Pine")],
        popularity: "liked",
      },
    ],
  },
  {
    productType: "Footwear",
    products: [
      {
        title: "Women's Thistle Trail Shoe",
        vendor: SHOES,
        cents: 139_00,
        options: [SHOES_36_TO_41],
        popularity: "loved",
        soldOut: ["EU 38", "EU 39"],
      },
      {
        title: "Men's Thistle Trail Shoe",
        vendor: SHOES,
        cents: 139_00,
        options: [SHOES_41_TO_46],
        popularity: "liked",
        soldOut: ["EU 43"],
      },
      {
        title: "Women's Bracken Hiking Boot",
        vendor: SHOES,
        cents: 199_00,
        options: [SHOES_36_TO_41],
        popularity: "liked",
      },
      {
        title: "Men's Bracken Hiking Boot",
        vendor: SHOES,
        cents: 199_00,
        options: [SHOES_41_TO_46],
        popularity: "liked",
        soldOut: ["EU 46"],
      },
      { title: "Women's Scree Approach Shoe", vendor: SHOES, cents: 159_00, options: [SHOES_36_TO_41] },
      { title: "Men's Scree Approach Shoe", vendor: SHOES, cents: 159_00, options: [SHOES_41_TO_46] },
      { title: "Shoreline Sandal", vendor: SHOES, cents: 89_00, options: [SHOES_36_TO_41], soldOut: "all" },
      {
        title: "Embers Camp Slipper",
        vendor: NIGHT,
        cents: 59_00,
        options: [SIZES_S_TO_L, SOFT_COLOURS],
        popularity: "liked",
      },
      { title: "Winterhide Insulated Boot", vendor: SHOES, cents: 219_00, options: [SHOES_41_TO_46] },
      { title: "Boot Care Kit", vendor: SHOES, cents: 19_90, popularity: "ignored" },
    ],
  },
  {
    productType: "Jackets",
    products: [
      {
        title: "Firstlight Down Jacket",
        vendor: CLOTHING,
        cents: 259_00,
        options: [SIZES_S_TO_L, colours("Midnight", "Ember")],
        popularity: "loved",
        soldOut: ["M / Midnight", "L / Midnight"],
      },
      {
        title: "Rainwright Three-Layer Shell",
        vendor: CLOTHING,
        cents: 349_00,
        options: [SIZES_S_TO_L, SHELL_COLOURS],
        popularity: "loved",
      },
      {
        title: "Drizzle Rain Jacket",
        vendor: CLOTHING,
        cents: 149_00,
        options: [SIZES_S_TO_L, SHELL_COLOURS],
        popularity: "liked",
      },
      { title: "Gale Wind Shirt", vendor: CLOTHING, cents: 109_00, options: [SIZES_S_TO_L, colours("Chalk", "Ember")] },
      {
        title: "Windbreak Insulated Vest",
        vendor: CLOTHING,
        cents: 139_00,
        options: [SIZES_S_TO_L, colours("Pine", "Clay")],
      },
      {
        title: "Northcote Winter Parka",
        vendor: CLOTHING,
        cents: 429_00,
        options: [SIZES_S_TO_L, colours("Pine", "Ink")],
        popularity: "loved",
        soldOut: "all",
      },
      {
        title: "Puddler Kids' Rain Jacket",
        vendor: CLOTHING,
        cents: 64_00,
        options: [grades(["104", 20, 0], ["116", 30, 0], ["128", 30, 0], ["140", 20, 0])],
      },
      { title: "Trailside Poncho", vendor: HOUSE, cents: 45_00, options: [colours("Moss", "Ember")] },
    ],
  },
  {
    productType: "Fleece",
    products: [
      {
        title: "Shearling Stone Fleece",
        vendor: CLOTHING,
        cents: 119_00,
        options: [SIZES_S_TO_L, SOFT_COLOURS],
        popularity: "loved",
        soldOut: ["M / Oat"],
      },
      {
        title: "Gridstone Hooded Fleece",
        vendor: CLOTHING,
        cents: 99_00,
        options: [SIZES_S_TO_L, colours("Slate", "Rust")],
        popularity: "liked",
      },
      {
        title: "Woolpack Field Cardigan",
        vendor: CLOTHING,
        cents: 129_00,
        options: [SIZES_XS_TO_XL],
        popularity: "liked",
      },
      { title: "Cairn Fleece Gilet", vendor: CLOTHING, cents: 79_00, options: [SIZES_XS_TO_XL] },
      { title: "Fernloft Half-Zip", vendor: CLOTHING, cents: 59_00, options: [SIZES_S_TO_L, colours("Fern", "Ink")] },
    ],
  },
  {
    productType: "Base layers",
    products: [
      {
        title: "Merino 150 T-Shirt",
        vendor: CLOTHING,
        cents: 69_00,
        options: [SIZES_S_TO_L, colours("Slate", "Fern")],
        popularity: "liked",
      },
      {
        title: "Merino 200 Long Sleeve",
        vendor: CLOTHING,
        cents: 89_00,
        options: [SIZES_S_TO_L, colours("Ink", "Rust")],
        popularity: "liked",
      },
      { title: "Merino 200 Leggings", vendor: CLOTHING, cents: 84_00, options: [SIZES_XS_TO_XL] },
      { title: "Merino Boxer Briefs", vendor: CLOTHING, cents: 39_00, options: [SIZES_XS_TO_XL] },
      {
        title: "Merino Hiking Socks",
        vendor: CLOTHING,
        cents: 24_00,
        options: [grades(["36-38", 25, 0], ["39-41", 35, 0], ["42-44", 30, 0], ["45-47", 10, 0])],
        popularity: "liked",
      },
      { title: "Merino Neck Gaiter", vendor: CLOTHING, cents: 29_00, options: [colours("Slate", "Moss", "Ember")] },
      { title: "Breezeway Sports Top", vendor: CLOTHING, cents: 49_00, options: [SIZES_XS_TO_XL] },
    ],
  },
  {
    productType: "Trousers",
    products: [
      {
        title: "Heathland Trekking Trousers",
        vendor: CLOTHING,
        cents: 129_00,
        options: [SIZES_S_TO_L, colours("Clay", "Ink")],
        popularity: "liked",
      },
      { title: "Heathland Zip-Off Trousers", vendor: CLOTHING, cents: 139_00, options: [SIZES_XS_TO_XL] },
      { title: "Rainwright Shell Trousers", vendor: CLOTHING, cents: 229_00, options: [SIZES_XS_TO_XL] },
      {
        title: "Gritstone Climbing Trousers",
        vendor: ROCK,
        cents: 109_00,
        options: [SIZES_S_TO_L, colours("Sand", "Pine")],
        popularity: "liked",
      },
      {
        title: "Milestone Trail Shorts",
        vendor: CLOTHING,
        cents: 69_00,
        options: [SIZES_S_TO_L, colours("Slate", "Fern")],
      },
    ],
  },
  {
    productType: "Cooking",
    products: [
      { title: "Thimble Gas Stove", vendor: KITCHEN, cents: 49_00, popularity: "liked" },
      {
        title: "Kettlestone Stove System",
        vendor: KITCHEN,
        cents: 129_00,
        options: [grades(["0.8 L", 55, 0], ["1.2 L", 45, 20_00])],
        popularity: "liked",
      },
      { title: "Smoulder Wood Stove", vendor: KITCHEN, cents: 79_00, popularity: "liked", soldOut: "all" },
      {
        title: "Titanium Mug",
        vendor: KITCHEN,
        cents: 32_00,
        options: [grades(["350 ml", 40, 0], ["450 ml", 45, 4_00], ["600 ml", 15, 8_00])],
        popularity: "liked",
      },
      {
        title: "Campfire Enamel Mug",
        vendor: KITCHEN,
        cents: 14_90,
        options: [colours("Oat", "Fern", "Ink", "Rust")],
        popularity: "liked",
      },
      {
        title: "Nesting Cook Set",
        vendor: KITCHEN,
        cents: 69_00,
        options: [grades(["1 person", 35, 0], ["2 person", 45, 15_00], ["4 person", 20, 40_00])],
      },
      {
        title: "Cast Iron Camp Pan",
        vendor: KITCHEN,
        cents: 44_00,
        options: [grades(["20 cm", 45, 0], ["26 cm", 55, 12_00])],
      },
      { title: "Long-Handled Spoon", vendor: KITCHEN, cents: 12_90 },
      { title: "Pour-Over Coffee Dripper", vendor: KITCHEN, cents: 24_90, popularity: "liked" },
      {
        title: "Gas Canister",
        vendor: KITCHEN,
        cents: 6_90,
        options: [grades(["100 g", 25, 0], ["230 g", 50, 2_00], ["450 g", 25, 6_00])],
        popularity: "ignored",
      },
    ],
  },
  {
    productType: "Lighting",
    products: [
      {
        title: "Glowworm Headlamp",
        vendor: NIGHT,
        cents: 59_00,
        options: [colours("Ink", "Ember", "Chalk")],
        popularity: "liked",
      },
      { title: "Glowworm Max Headlamp", vendor: NIGHT, cents: 99_00, options: [colours("Ink", "Ember")] },
      {
        title: "Firefly Camp Lantern",
        vendor: NIGHT,
        cents: 49_00,
        options: [colours("Oat", "Moss")],
        popularity: "liked",
      },
      {
        title: "String of Stars Tent Lights",
        vendor: NIGHT,
        cents: 29_90,
        options: [grades(["3 m", 45, 0], ["6 m", 55, 10_00])],
        popularity: "liked",
      },
      { title: "Pocket Torch", vendor: NIGHT, cents: 34_00 },
      { title: "Headlamp Battery", vendor: NIGHT, cents: 24_00, popularity: "ignored" },
    ],
  },
  {
    productType: "Hydration",
    products: [
      {
        title: "Rushmere Insulated Bottle",
        vendor: KITCHEN,
        cents: 32_00,
        options: [grades(["0.5 L", 35, 0], ["0.75 L", 45, 4_00], ["1 L", 20, 8_00]), BOTTLE_COLOURS],
        popularity: "loved",
      },
      { title: "Rill Squeeze Filter", vendor: KITCHEN, cents: 44_00, popularity: "liked" },
      {
        title: "Beck Soft Flask",
        vendor: KITCHEN,
        cents: 19_00,
        options: [grades(["250 ml", 25, 0], ["500 ml", 75, 3_00])],
      },
      {
        title: "Cistern Water Reservoir",
        vendor: KITCHEN,
        cents: 39_00,
        options: [grades(["2 L", 60, 0], ["3 L", 40, 5_00])],
      },
      {
        title: "Rushmere Travel Tumbler",
        vendor: KITCHEN,
        cents: 28_00,
        options: [BOTTLE_COLOURS],
        soldOut: ["Fern"],
      },
      {
        title: "Campground Water Carrier",
        vendor: KITCHEN,
        cents: 26_00,
        options: [grades(["6 L", 55, 0], ["10 L", 45, 6_00])],
      },
      { title: "Purification Tablets", vendor: KITCHEN, cents: 8_90, popularity: "ignored" },
    ],
  },
  {
    productType: "Climbing",
    products: [
      { title: "Overhang Sport Harness", vendor: ROCK, cents: 79_00, options: [SIZES_XS_TO_XL], popularity: "liked" },
      {
        title: "Single Rope 9.6 mm",
        vendor: ROCK,
        cents: 129_00,
        options: [grades(["40 m", 15, 0], ["60 m", 45, 50_00], ["70 m", 40, 75_00])],
        popularity: "liked",
      },
      {
        title: "Half Rope 8.2 mm",
        vendor: ROCK,
        cents: 149_00,
        options: [grades(["50 m", 40, 0], ["60 m", 60, 25_00])],
      },
      {
        title: "Quickdraw Set",
        vendor: ROCK,
        cents: 84_00,
        options: [grades(["5 x 11 cm", 40, 0], ["5 x 17 cm", 60, 6_00])],
        soldOut: ["5 x 17 cm"],
      },
      {
        title: "Limestone Climbing Shoe",
        vendor: ROCK,
        cents: 129_00,
        options: [SHOES_36_TO_41],
        popularity: "liked",
        soldOut: ["EU 39"],
      },
      {
        title: "Buttress Helmet",
        vendor: ROCK,
        cents: 69_00,
        options: [grades(["S/M", 50, 0], ["M/L", 50, 0]), colours("Chalk", "Ember")],
      },
      { title: "Belay Device", vendor: ROCK, cents: 34_00, options: [colours("Ink", "Moss")] },
      {
        title: "Chalk Bag",
        vendor: ROCK,
        cents: 24_00,
        options: [colours("Plum", "Fern", "Clay", "Ink")],
        popularity: "liked",
      },
      { title: "Locking Carabiner", vendor: ROCK, cents: 14_90 },
      {
        title: "Accessory Cord 6 mm",
        vendor: ROCK,
        cents: 7_50,
        options: [grades(["5 m", 60, 0], ["10 m", 40, 6_00])],
        popularity: "ignored",
      },
    ],
  },
  {
    productType: "Navigation",
    products: [
      { title: "Lodestar Sighting Compass", vendor: HOUSE, cents: 54_00, popularity: "liked" },
      { title: "Lodestar Base Compass", vendor: HOUSE, cents: 24_00 },
      {
        title: "Waymark Handheld GPS",
        vendor: HOUSE,
        cents: 289_00,
        options: [grades(["Europe maps", 70, 0], ["World maps", 30, 60_00])],
        popularity: "liked",
      },
      { title: "Waterproof Map Case", vendor: HOUSE, cents: 19_00, options: [grades(["A5", 45, 0], ["A4", 55, 4_00])] },
      { title: "Trail Journal", vendor: HOUSE, cents: 16_90, options: [colours("Oat", "Moss")] },
      { title: "Pocket Altimeter", vendor: HOUSE, cents: 79_00, soldOut: "all" },
    ],
  },
  {
    productType: "Accessories",
    products: [
      {
        title: "Carbon Trekking Poles",
        vendor: HOUSE,
        cents: 119_00,
        options: [grades(["105-125 cm", 45, 0], ["115-135 cm", 55, 0])],
        popularity: "loved",
      },
      {
        title: "Folding Camp Chair",
        vendor: SHELTER,
        cents: 89_00,
        options: [colours("Moss", "Clay", "Ink")],
        popularity: "liked",
      },
      {
        title: "Roll-Top Dry Bag",
        vendor: HOUSE,
        cents: 14_00,
        options: [grades(["5 L", 30, 0], ["10 L", 40, 4_00], ["20 L", 30, 9_00])],
      },
      {
        title: "Wool Beanie",
        vendor: CLOTHING,
        cents: 34_00,
        options: [colours("Oat", "Ember", "Pine", "Ink")],
        popularity: "liked",
      },
      {
        title: "Sun Hat",
        vendor: CLOTHING,
        cents: 39_00,
        options: [grades(["S/M", 45, 0], ["L/XL", 55, 0]), colours("Sand", "Slate")],
      },
      { title: "Touchpoint Gloves", vendor: CLOTHING, cents: 36_00, options: [SIZES_XS_TO_XL] },
      {
        title: "Pocket Knife",
        vendor: HOUSE,
        cents: 44_00,
        options: [grades(["Beech", 45, 0], ["Walnut", 55, 8_00])],
        popularity: "liked",
      },
      {
        title: "Trail First Aid Kit",
        vendor: HOUSE,
        cents: 39_00,
        options: [grades(["Solo", 55, 0], ["Group", 45, 20_00])],
      },
      {
        title: "Quick-Dry Towel",
        vendor: HOUSE,
        cents: 18_00,
        options: [grades(["S", 25, 0], ["M", 40, 5_00], ["L", 35, 10_00]), colours("Fern", "Plum")],
      },
      { title: "Stormproof Matches", vendor: HOUSE, cents: 5_90 },
      { title: "Fabric Repair Patches", vendor: HOUSE, cents: 7_90, popularity: "ignored" },
    ],
  },
];
