/** Of the schema, and of how text is read: a file of another version is not read, and its PDFs are read again. */
export const pagesVersion = 5;

/** The file's name has the version, so that two versions of the extension don't delete each other's. */
export const pagesName = `pages-${pagesVersion}.sqlite`;
