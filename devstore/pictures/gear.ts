import { box, disc, line, oval, path, type Shape } from "./strokes.ts";

const tent: Shape = ({ main, shade, trim, light }) =>
  path(main, "M400 250 l290 390 h-580z") +
  path(shade, "M400 250 l290 390 h-170z") +
  path(trim, "M400 330 l90 310 h-180z") +
  path(light, "M400 330 l-90 310 h60 q40 -150 30 -310z") +
  line(trim, 8, "M400 250 v-34 M110 640 l-40 14 M690 640 l40 14");

const tarp: Shape = ({ main, shade, trim }) =>
  path(main, "M130 470 L400 290 L400 520 L190 600z") +
  path(shade, "M670 470 L400 290 L400 520 L610 600z") +
  line(trim, 8, "M400 290 v350 M130 470 l-30 160 M670 470 l30 160 M190 600 l-20 44 M610 600 l20 44");

const bag: Shape = ({ main, shade, light, trim }) =>
  path(main, "M200 560 q-40 -10 -40 -60 q0 -180 90 -200 q270 -20 350 60 q70 70 30 190 q-20 60 -80 60z") +
  line(shade, 10, "M250 320 q40 130 0 280 M340 304 q40 150 0 306 M430 306 q40 150 0 304 M520 330 q36 130 0 280") +
  path(trim, "M560 380 q60 20 60 90 q0 60 -70 70 q-40 -80 10 -160z") +
  line(light, 8, "M230 340 q150 -40 300 0");

const mat: Shape = ({ main, shade, light }) =>
  path(main, "M300 250 h320 v330 h-320z") +
  path(shade, "M180 580 a60 60 0 1 1 120 0 v60 h-60 a60 60 0 0 1 -60 -60z") +
  line(light, 10, "M330 320 h260 M330 400 h260 M330 480 h260 M330 555 h260") +
  path(main, "M240 640 h380 v-60 h-320 a60 60 0 0 1 -60 60z");

const pack: Shape = ({ main, shade, trim, light }) =>
  line(trim, 22, "M340 230 q60 -80 120 0") +
  path(main, "M270 300 q0 -90 130 -90 q130 0 130 90 l30 300 q0 40 -40 40 h-240 q-40 0 -40 -40z") +
  path(shade, "M300 430 h200 q20 0 22 20 l10 130 q0 30 -30 30 h-204 q-30 0 -30 -30 l10 -130 q2 -20 22 -20z") +
  line(light, 8, "M320 470 h160") +
  line(trim, 14, "M330 230 v150 M470 230 v150") +
  box(trim, 312, 350, 36, 26, 6) +
  box(trim, 452, 350, 36, 26, 6);

const duffel: Shape = ({ main, shade, trim, light }) =>
  line(trim, 18, "M300 400 q100 -150 200 0") +
  path(main, "M160 400 h480 q50 30 50 120 q0 90 -50 120 h-480 q-50 -30 -50 -120 q0 -90 50 -120z") +
  path(shade, "M280 400 h36 v240 h-36z M484 400 h36 v240 h-36z") +
  line(light, 8, "M180 430 h440");

const stove: Shape = ({ main, shade, trim, light }) =>
  path(shade, "M310 520 h180 q20 0 20 20 v80 q0 20 -20 20 h-180 q-20 0 -20 -20 v-80 q0 -20 20 -20z") +
  path(light, "M290 560 h220 v30 h-220z") +
  box(trim, 380, 420, 40, 100, 8) +
  path(main, "M330 370 h140 l-20 60 h-100z") +
  line(trim, 14, "M330 400 l-90 -60 M470 400 l90 -60 M420 470 h90") +
  path("hsl(30 90% 60%)", "M400 250 q60 70 30 120 h-60 q-30 -50 30 -120z");

const mug: Shape = ({ main, shade, light, trim }) =>
  line(trim, 24, "M520 380 q110 0 100 90 q-10 80 -110 80") +
  path(main, "M260 300 h280 l-16 310 q-4 30 -40 30 h-168 q-36 0 -40 -30z") +
  path(shade, "M260 300 q140 40 280 0 q-140 -40 -280 0z") +
  line(light, 10, "M310 380 l10 200");

const pan: Shape = ({ main, shade, trim, light }) =>
  line(trim, 30, "M520 480 l160 -60") +
  path(main, "M140 440 h400 q0 150 -80 180 h-240 q-80 -30 -80 -180z") +
  path(shade, "M140 440 q200 60 400 0 q-200 -60 -400 0z") +
  line(light, 8, "M190 500 q10 60 50 90");

const spoon: Shape = ({ main, shade }) =>
  line(main, 26, "M300 620 L470 330") + oval(main, 505, 262, 62, 92, 30) + oval(shade, 505, 262, 40, 66, 30);

const lamp: Shape = ({ main, shade, trim, light }) =>
  line(main, 40, "M180 440 q220 -220 440 0") +
  line(shade, 40, "M180 440 q220 150 440 0") +
  box(trim, 310, 380, 180, 130, 30) +
  disc(light, 400, 445, 46) +
  disc("hsl(48 95% 82%)", 400, 445, 30);

const lantern: Shape = ({ main, shade, trim }) =>
  line(trim, 12, "M310 300 q90 -160 180 0") +
  box(shade, 300, 290, 200, 50, 16) +
  box("hsl(46 90% 84%)", 316, 340, 168, 210, 20) +
  line(trim, 10, "M340 345 v200 M400 345 v200 M460 345 v200") +
  box(main, 290, 545, 220, 95, 20);

const torch: Shape = ({ main, shade, trim }) =>
  path(main, "M200 560 l230 -150 60 92 -230 150 q-90 -10 -60 -92z") +
  path(shade, "M420 404 l90 -90 110 168 -124 30z") +
  path("hsl(48 95% 84%)", "M505 312 l24 -16 112 170 -24 16z") +
  line(trim, 12, "M300 520 l36 -24");

const bottle: Shape = ({ main, shade, trim, light }) =>
  box(trim, 340, 160, 120, 90, 18) +
  path(main, "M330 250 h140 q50 40 50 110 v240 q0 40 -40 40 h-160 q-40 0 -40 -40 v-240 q0 -70 50 -110z") +
  path(shade, "M280 500 h240 v60 h-240z") +
  line(light, 14, "M320 340 v130");

const pouch: Shape = ({ main, shade, trim, light }) =>
  box(trim, 360, 180, 80, 60, 14) +
  path(main, "M330 240 h140 l70 60 -20 310 q-120 60 -240 0 l-20 -310z") +
  path(shade, "M300 450 h200 l-10 140 q-90 40 -180 0z") +
  line(light, 10, "M320 320 v100");

const rope: Shape = ({ main, shade, light, trim }) =>
  [0, 1, 2, 3]
    .map((turn) =>
      line(
        turn % 2 ? shade : main,
        30,
        `M${250 + turn * 24} 560 q-60 -330 ${150 - turn * 24} -330 q${210 - turn * 24} 0 ${150 - turn * 24} 330 q-${150 - turn * 24} 90 -${300 - turn * 48} 0`,
      ),
    )
    .join("") +
  box(trim, 340, 250, 120, 130, 14) +
  line(light, 8, "M350 290 h100 M350 320 h100 M350 350 h100");

const carabiner: Shape = ({ main, shade, trim }) =>
  line(main, 36, "M330 560 q-50 -260 90 -330 q130 -20 130 110 q0 100 -60 230 q-60 90 -160 -10z") +
  line(shade, 24, "M540 370 l-50 180") +
  box(trim, 490, 410, 50, 90, 12);

const harness: Shape = ({ main, shade, trim, light }) =>
  line(main, 44, "M220 320 q180 80 360 0") +
  line(shade, 40, "M270 350 q-70 250 60 260 q90 -10 60 -230 M530 350 q70 250 -60 260 q-90 -10 -60 -230") +
  line(trim, 18, "M400 360 v110") +
  disc(light, 400, 366, 20);

const helmet: Shape = ({ main, shade, trim, light }) =>
  path(main, "M180 480 q0 -250 220 -250 q220 0 220 250 q-220 50 -440 0z") +
  path(shade, "M300 300 q20 -30 50 -30 v110 h-70z M430 270 q40 0 60 30 l20 80 h-80z") +
  line(light, 8, "M190 470 q210 46 420 0") +
  line(trim, 12, "M230 496 q60 150 170 150 q110 0 170 -150");

const compass: Shape = ({ main, shade, light }) =>
  box(light, 270, 180, 260, 460, 30) +
  disc(main, 400, 420, 150) +
  disc("hsl(40 30% 95%)", 400, 420, 118) +
  path("hsl(8 70% 52%)", "M400 318 l28 102 h-56z") +
  path(shade, "M400 522 l28 -102 h-56z");

const device: Shape = ({ main, shade, trim, light }) =>
  box(trim, 430, 150, 36, 90, 14) +
  box(main, 290, 200, 220, 440, 40) +
  box("hsl(160 20% 84%)", 320, 250, 160, 200, 14) +
  line(shade, 8, "M330 410 l40 -60 40 30 60 -90") +
  disc(light, 400, 530, 44);

const booklet: Shape = ({ main, shade, light, trim }) =>
  path(main, "M240 210 h320 q20 0 20 20 v390 q0 20 -20 20 h-320z") +
  path(shade, "M240 210 h46 v430 h-46z") +
  box(light, 340, 290, 180, 90, 8) +
  line(trim, 10, "M540 210 v430");

const poles: Shape = ({ main, shade, trim }) =>
  line(main, 20, "M280 620 L340 260 M520 620 L460 260") +
  line(trim, 40, "M344 240 l12 -70 M456 240 l-12 -70") +
  line(shade, 12, "M256 586 h56 M488 586 h56 M280 620 l-4 20 M520 620 l4 20");

const chair: Shape = ({ main, shade, trim }) =>
  line(trim, 16, "M250 640 L520 430 M550 640 L280 430 M280 430 L240 240 M520 430 L560 240") +
  path(main, "M240 240 h320 l-30 200 h-260z") +
  path(shade, "M270 430 h260 l30 60 h-320z");

const kit: Shape = ({ main, shade, light }) =>
  box(main, 200, 310, 400, 320, 40) +
  line(shade, 16, "M220 370 h360") +
  path(light, "M370 420 h60 v50 h50 v60 h-50 v50 h-60 v-50 h-50 v-60 h50z");

const knife: Shape = ({ main, shade, trim, light }) =>
  path("hsl(210 10% 78%)", "M400 470 L640 300 q20 70 -90 150 l-100 70z") +
  path(main, "M180 600 q-20 -50 30 -80 l180 -120 60 90 -180 120 q-60 30 -90 -10z") +
  disc(light, 400, 470, 16) +
  line(shade, 10, "M230 560 l130 -86") +
  disc(trim, 212, 588, 8);

const tin: Shape = ({ main, shade, light }) =>
  box(shade, 250, 380, 300, 260, 20) + box(main, 240, 290, 320, 110, 20) + box(light, 300, 460, 200, 100, 10);

const folded: Shape = ({ main, shade, light }) =>
  path(main, "M190 450 q210 -50 420 0 v70 q-210 -40 -420 0z") +
  path(shade, "M190 520 q210 -40 420 0 v60 q-210 -40 -420 0z") +
  path(light, "M190 580 q210 -40 420 0 v56 q-210 20 -420 0z");

const hammock: Shape = ({ main, shade, trim }) =>
  line(trim, 14, "M90 290 l110 110 M710 290 l-110 110") +
  path(main, "M190 390 q210 330 420 0 q-60 250 -210 250 q-150 0 -210 -250z") +
  line(shade, 8, "M240 440 q160 190 320 0");

const pegs: Shape = ({ main, shade }) =>
  [0, 1, 2, 3]
    .map((place) =>
      line(place % 2 ? shade : main, 22, `M${280 + place * 80} 260 q30 -30 30 16 M${280 + place * 80} 262 v360`),
    )
    .join("");

const lights: Shape = ({ main, trim }) =>
  line(trim, 8, "M120 300 q140 160 280 40 q140 -120 280 60") +
  [170, 270, 370, 470, 570, 650]
    .map((x, place) => disc(place % 2 ? main : "hsl(46 92% 72%)", x, 400 + (place % 3) * 16, 32))
    .join("");

const chalk: Shape = ({ main, shade, trim, light }) =>
  path(main, "M270 320 h260 l-20 290 q-110 50 -220 0z") +
  oval(trim, 400, 320, 130, 40) +
  oval("hsl(40 20% 96%)", 400, 326, 100, 26) +
  path(shade, "M282 470 h236 l-4 60 h-228z") +
  line(light, 8, "M300 390 v60");

/** Everything but clothes; the first that a product's name fits is drawn. */
export const GEAR: readonly (readonly [RegExp, Shape])[] = [
  [/Tent Lights/, lights],
  [/Pegs|Quickdraw/, pegs],
  [/Tarp|Shelter/, tarp],
  [/Tent$|Bivy/, tent],
  [/Groundsheet|Blanket|Towel|Patches|Liner|Pillow/, folded],
  [/Sleeping Bag/, bag],
  [/Mat$/, mat],
  [/Hammock/, hammock],
  [/Duffel|Hip Pack/, duffel],
  [/Dry Bag|Soft Flask|Reservoir|Carrier|Filter/, pouch],
  [/pack$|Pack$|Rain Cover/, pack],
  [/Stove$|Stove System|Dripper/, stove],
  [/Mug|Tumbler/, mug],
  [/Pan$|Cook Set/, pan],
  [/Spoon/, spoon],
  [/Headlamp Battery|Gas Canister|Tablets|Matches|Care Kit/, tin],
  [/Headlamp/, lamp],
  [/Lantern/, lantern],
  [/Torch/, torch],
  [/Bottle/, bottle],
  [/Rope|Cord/, rope],
  [/Carabiner|Belay/, carabiner],
  [/Harness/, harness],
  [/Helmet/, helmet],
  [/Chalk/, chalk],
  [/Compass|Altimeter/, compass],
  [/GPS/, device],
  [/Map Case|Journal/, booklet],
  [/Poles/, poles],
  [/Chair/, chair],
  [/First Aid/, kit],
  [/Knife/, knife],
];
