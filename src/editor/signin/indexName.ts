/** Every secret of ours begins so; the part after it tells the index from the connections. */
export const secretPrefix = 'reportLibrary.connection';

/** The secret that says which connection is in use; it changes with every sign-in, in any window. */
export const indexName = `${secretPrefix}s`;
