/** Name of the secret that says which connection is in use; it changes with every sign-in, in any window. */
export const indexName = 'reportLibrary.connections';
