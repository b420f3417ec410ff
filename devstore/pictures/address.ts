/** Width and height, pixels. */
export const PICTURE_SIZE = 800;

const FOLDER = "/s/files/1/0712/0000/0001/files/";

/** Path of a product's picture on the CDN. */
export function picturePath({ handle }: { handle: string }): string {
  return `${FOLDER}${handle}.svg`;
}
