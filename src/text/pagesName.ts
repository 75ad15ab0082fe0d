/** Version of the schema and of how text is read: a file of another version is replaced, and its PDFs are read again. */
export const pagesVersion = 6;

/** Name of the file of the text index. */
export const pagesName = 'pages.sqlite';
