/** Width and height in pixels. */
export const PICTURE_SIZE = 800;

/** Folder of the CDN that holds the product pictures. */
export const PICTURE_FOLDER = "/s/files/1/0712/0000/0001/files/";

/** Returns the path of a product's picture on the CDN. */
export function picturePath({ handle }: { handle: string }): string {
  return `${PICTURE_FOLDER}${handle}.svg`;
}
