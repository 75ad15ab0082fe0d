/** As much of the package as is used here; it comes without types. */
declare module 'pngjs' {
  export const PNG: {
    sync: {
      /** Pixels as red, green, blue and opacity, whatever the file holds. */
      read(bytes: Buffer): { readonly width: number; readonly height: number; readonly data: Buffer };
      write(image: { readonly width: number; readonly height: number; readonly data: Buffer }): Buffer;
    };
  };
}
