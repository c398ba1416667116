import { ownMarkup, type Html } from "../../pages/html.ts"

/** Where the picture of a product goes, by the address of its page: {@link withPictures} fills the place, or takes it out. */
export const pictureMark = (address: string, size: "small" | "large" = "small"): Html =>
  ownMarkup(`<!--picture ${size} ${address}-->`)

/** A document with its pictures, asked of this server, or without. */
export const withPictures = (document: string, hasPictures: boolean): string =>
  document.replaceAll(
    /<!--picture (small|large) (\/games\/[\w.%~!*'()-]+\/products\/\d+)-->/g,
    (_, size: string, address: string) =>
      hasPictures ? `<img class="picture ${size}" src="/pictures${address}" alt="" loading="lazy">` : ""
  )
