import type { Palette } from "./colours.ts";

/** Draws a thing on 800 by 800, standing on the floor at about y = 640. */
export type Shape = (palette: Palette) => string;

export const path = (fill: string, d: string) => `<path fill="${fill}" d="${d}"/>`;
export const line = (stroke: string, width: number, d: string) =>
  `<path fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" d="${d}"/>`;
export const box = (fill: string, x: number, y: number, width: number, height: number, radius: number) =>
  `<rect fill="${fill}" x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}"/>`;
export const oval = (fill: string, x: number, y: number, width: number, height: number, turn = 0) =>
  `<ellipse fill="${fill}" cx="${x}" cy="${y}" rx="${width}" ry="${height}" transform="rotate(${turn} ${x} ${y})"/>`;
export const disc = (fill: string, x: number, y: number, radius: number) =>
  `<circle fill="${fill}" cx="${x}" cy="${y}" r="${radius}"/>`;
