/** Version of the schema and of how text is read. A file of another version is replaced, its PDFs are read again. */
export const pagesVersion = 6;

/** Name of the file of the text index. */
export const pagesName = 'pages.sqlite';
