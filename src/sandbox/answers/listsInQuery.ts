/** `status[]=a` and `status[0]=a` are `status=a`; `metadata[key]=a` stays. Beyond the spec: section 1. */
export const listsInQuery = (url: string): string => {
  const start = url.indexOf("?")
  return start < 0
    ? url
    : url.slice(0, start) + url.slice(start).replaceAll(/([?&][^=&]*?)(?:\[|%5B)\d*(?:\]|%5D)(?==|&|$)/gi, "$1")
}
