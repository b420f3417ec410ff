import { line, path, type Shape } from "./strokes.ts";

const torso =
  "M300 190 q100 50 200 0 l110 60 q30 20 34 60 l26 230 -84 18 -36 -180 v260 h-300 v-260 l-36 180 -84 -18 26 -230 q4 -40 34 -60z";

const jacket: Shape = ({ main, shade, trim, light }) =>
  path(main, torso) +
  path(shade, "M400 214 h150 v424 h-150z") +
  path(main, "M430 214 h120 v424 h-120z") +
  line(trim, 8, "M400 216 v420") +
  path(shade, "M300 190 q100 -70 200 0 q-20 60 -100 62 q-80 -2 -100 -62z") +
  path(light, "M330 200 q70 36 140 0 q-20 34 -70 36 q-50 -2 -70 -36z") +
  line(shade, 10, "M290 470 l70 -40 M510 470 l-70 -40");

const vest: Shape = ({ main, shade, trim, light }) =>
  path(main, "M300 190 q100 50 200 0 l60 40 q-20 100 -6 170 l-4 240 h-300 l-4 -240 q14 -70 -6 -170z") +
  line(shade, 8, "M252 330 h296 M250 430 h300 M250 530 h300") +
  line(trim, 8, "M400 216 v420") +
  path(light, "M320 200 q80 40 160 0 q-20 40 -80 42 q-60 -2 -80 -42z");

const shirt: Shape = ({ main, shade, light }) =>
  path(main, "M300 190 q100 60 200 0 l130 80 -56 108 -54 -28 v290 h-240 v-290 l-54 28 -56 -108z") +
  path(shade, "M300 190 q100 60 200 0 l-18 -8 q-82 44 -164 0z") +
  line(light, 6, "M280 612 h240");

const longSleeve: Shape = ({ main, shade, light }) =>
  path(main, torso) + path(shade, "M300 190 q100 60 200 0 l-18 -8 q-82 44 -164 0z") + line(light, 6, "M250 610 h300");

const poncho: Shape = ({ main, shade, light, trim }) =>
  path(main, "M400 180 q70 0 90 60 q140 120 180 360 q-270 80 -540 0 q40 -240 180 -360 q20 -60 90 -60z") +
  path(shade, "M400 300 q-40 170 -20 336 h40 q20 -170 -20 -336z") +
  path(light, "M400 200 q50 0 60 54 q-60 40 -120 0 q10 -54 60 -54z") +
  line(trim, 6, "M380 300 v60 M420 300 v60");

const trousers: Shape = ({ main, shade, trim }) =>
  path(main, "M290 170 h220 l44 470 h-116 l-38 -310 -38 310 h-116z") +
  path(shade, "M290 170 h220 l4 40 h-228z") +
  line(trim, 6, "M400 210 v90 M300 250 q40 10 44 60 M500 250 q-40 10 -44 60");

const shorts: Shape = ({ main, shade, trim }) =>
  path(main, "M270 230 h260 l50 300 h-140 l-40 -140 -40 140 h-140z") +
  path(shade, "M270 230 h260 l6 40 h-272z") +
  line(trim, 6, "M400 270 v90");

const briefs: Shape = ({ main, shade }) =>
  path(main, "M250 290 h300 l20 150 -90 30 q-70 -10 -80 60 q-10 -70 -80 -60 l-90 -30z") +
  path(shade, "M250 290 h300 l4 40 h-308z");

const shoe: Shape = ({ main, shade, trim, light }) =>
  path(main, "M200 420 q60 20 110 -50 l110 60 q40 70 160 90 q60 14 60 70 h-450 q-20 -100 10 -170z") +
  path(trim, "M182 586 h470 q4 50 -40 54 h-400 q-34 -6 -30 -54z") +
  path(shade, "M200 420 q30 14 60 -2 q10 90 90 140 l-160 20 q-10 -100 10 -158z") +
  line(light, 10, "M330 420 l50 -36 M366 448 l48 -36 M404 474 l44 -34");

const boot: Shape = ({ main, shade, trim, light }) =>
  path(main, "M250 210 h170 l10 200 q40 70 150 90 q60 14 60 80 h-400 q-30 -200 10 -370z") +
  path(shade, "M250 210 h170 l2 50 h-178z M232 500 q120 20 170 70 l-170 10z") +
  path(trim, "M226 576 h424 q4 60 -40 64 h-354 q-34 -6 -30 -64z") +
  line(light, 10, "M380 300 h54 M384 350 h54 M390 400 h58 M414 446 h56");

const sandal: Shape = ({ main, shade, trim }) =>
  path(trim, "M170 570 q220 -40 460 0 q30 60 -20 70 h-420 q-46 -10 -20 -70z") +
  line(main, 44, "M240 560 q60 -140 170 0 M450 570 q60 -120 130 -10") +
  line(shade, 26, "M240 556 q40 -120 -10 -130");

const sock: Shape = ({ main, shade, light }) =>
  path(main, "M320 170 h150 v250 q60 60 130 90 q50 60 -30 100 q-120 30 -220 -90 q-40 -60 -30 -140z") +
  path(shade, "M320 170 h150 v60 h-150z M540 500 q50 10 66 40 q6 50 -40 68 q-40 -40 -26 -108z") +
  line(light, 10, "M320 270 h150 M320 300 h150");

const beanie: Shape = ({ main, shade, light }) =>
  path(main, "M240 480 q0 -250 160 -250 q160 0 160 250z") +
  path(shade, "M220 450 h360 q14 60 0 110 h-360 q-14 -50 0 -110z") +
  line(light, 6, "M280 460 v90 M340 460 v90 M400 460 v90 M460 460 v90 M520 460 v90");

const hat: Shape = ({ main, shade }) =>
  path(main, "M290 440 q0 -190 110 -190 q110 0 110 190z") +
  path(shade, "M290 410 h220 v40 h-220z") +
  path(main, "M150 470 q120 -50 250 -40 q130 -10 250 40 q-90 70 -250 66 q-160 4 -250 -66z");

const glove: Shape = ({ main, shade, light }) =>
  path(
    main,
    "M300 620 v-150 q-60 -20 -80 -90 q20 -40 60 0 l30 30 v-170 q26 -30 48 0 v-30 q26 -30 48 0 v20 q26 -26 46 4 v40 q26 -20 40 10 v170 l-20 166z",
  ) +
  path(shade, "M296 560 h180 l-4 70 h-176z") +
  line(light, 6, "M358 300 v90 M406 290 v100 M452 310 v80");

const gaiter: Shape = ({ main, shade, light }) =>
  path(main, "M270 260 q130 60 260 0 l30 330 q-160 80 -320 0z") +
  path(shade, "M270 260 q130 -50 260 0 q-130 60 -260 0z") +
  line(light, 8, "M262 380 q138 60 276 0 M252 480 q148 66 296 0");

/** Clothes and shoes; the first that a product's name fits is drawn. */
export const WEAR: readonly (readonly [RegExp, Shape])[] = [
  [/Sandal/, sandal],
  [/Slipper|Shoe/, shoe],
  [/Boot/, boot],
  [/Running Vest|Gilet|Insulated Vest/, vest],
  [/Poncho/, poncho],
  [/Sock/, sock],
  [/Gaiter/, gaiter],
  [/Briefs/, briefs],
  [/T-Shirt|Sports Top/, shirt],
  [/Long Sleeve/, longSleeve],
  [/Shorts/, shorts],
  [/Trousers|Leggings/, trousers],
  [/Beanie/, beanie],
  [/Sun Hat/, hat],
  [/Glove/, glove],
  [/Jacket|Shell|Parka|Shirt|Fleece|Cardigan|Half-Zip/, jacket],
];
