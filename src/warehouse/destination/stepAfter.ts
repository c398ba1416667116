/** What to do after files could not be written, by the words of the system, DuckDB or SQLite. */
export const stepAfter = (reason: string): string => {
  if (/ENOSPC|EDQUOT|No space left|quota|disk is full/i.test(reason))
    return "The disk is full. Free space there, then export again"
  if (/EFBIG|File too large/i.test(reason))
    return "Files that large cannot be written there. Raise the limit, or export to another file system"
  if (/EACCES|EPERM|EROFS|Permission denied|Read-?only|unable to open database/i.test(reason))
    return "Check the owner and permissions of the folder, or export to another one"
  return "See that the folder is there and can be written to, then export again; what was written stays"
}
