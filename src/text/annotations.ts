import type { Box } from '../base/placedText.ts';
import type { PageNote } from './pageCharacter.ts';

/** The PDFium functions in use; numbers are addresses, sizes and indexes. */
export interface AnnotationFunctions {
  PDFiumExt_OpenFormFillInfo(): number;
  PDFiumExt_CloseFormFillInfo(info: number): void;
  PDFiumExt_InitFormFillEnvironment(document: number, info: number): number;
  PDFiumExt_ExitFormFillEnvironment(forms: number): void;
  FPDFPage_GetAnnotCount(page: number): number;
  FPDFPage_GetAnnot(page: number, index: number): number;
  FPDFPage_CloseAnnot(annotation: number): void;
  FPDFAnnot_GetSubtype(annotation: number): number;
  FPDFAnnot_GetFlags(annotation: number): number;
  FPDFAnnot_GetRect(annotation: number, into: number): boolean;
  FPDFAnnot_GetStringValue(annotation: number, key: string, into: number, bytes: number): number;
  FPDFAnnot_GetFormFieldType(forms: number, annotation: number): number;
  FPDFAnnot_GetFormFieldValue(forms: number, annotation: number, into: number, bytes: number): number;
  FPDFAnnot_GetFileAttachment(annotation: number): number;
  FPDFDoc_GetAttachmentCount(document: number): number;
  FPDFDoc_GetAttachment(document: number, index: number): number;
  FPDFAttachment_GetName(attachment: number, into: number, bytes: number): number;
}

/** PDFium's memory, as these functions use it. */
interface Memory {
  /** What is written into as many bytes as `write` asks for when it gets none. */
  text(write: (into: number, bytes: number) => number): string;
  /** Four numbers that are written. */
  four(write: (into: number) => boolean): Box | null;
}

/** PDFium's numbers of subtypes, of fields that hold a text, and of flags of what isn't shown. */
const [freeText, fileAttachment, widget] = [3, 17, 20];
const textFields: readonly number[] = [4, 5, 6];
const hidden = 2 | 32;
/** Most annotations of a page that are read, and most names of attached files. */
const maxAnnotations = 5000;
export const maxAttachments = 50;

/** Values of form fields and free texts, which lie over the page, and the names of files that are attached to it. */
export function annotationsOf(functions: AnnotationFunctions, memory: Memory, document: number, page: number) {
  const notes: PageNote[] = [];
  const files: string[] = [];
  const count = Math.min(functions.FPDFPage_GetAnnotCount(page), maxAnnotations);
  let forms: readonly [info: number, environment: number] | undefined;
  const environment = () => {
    if (!forms) {
      const info = functions.PDFiumExt_OpenFormFillInfo();
      forms = [info, functions.PDFiumExt_InitFormFillEnvironment(document, info)];
    }
    return forms[1];
  };
  for (let index = 0; index < count; index += 1) {
    const annotation = functions.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const subtype = functions.FPDFAnnot_GetSubtype(annotation);
    const isShown = (functions.FPDFAnnot_GetFlags(annotation) & hidden) === 0;
    const value = (): string => {
      if (subtype === freeText)
        return memory.text((...into) => functions.FPDFAnnot_GetStringValue(annotation, 'Contents', ...into));
      const isText = textFields.includes(functions.FPDFAnnot_GetFormFieldType(environment(), annotation));
      if (!isText) return '';
      return memory.text((...into) => functions.FPDFAnnot_GetFormFieldValue(environment(), annotation, ...into));
    };
    if (subtype === fileAttachment) {
      const file = functions.FPDFAnnot_GetFileAttachment(annotation);
      files.push(memory.text((...into) => functions.FPDFAttachment_GetName(file, ...into)));
    } else if (isShown && (subtype === freeText || subtype === widget)) {
      const box = memory.four((into) => functions.FPDFAnnot_GetRect(annotation, into));
      const text = value();
      // Left, top, right, bottom.
      if (box && text.trim() !== '') notes.push({ text, box: [box[0], box[3], box[2], box[1]] });
    }
    functions.FPDFPage_CloseAnnot(annotation);
  }
  if (forms) {
    functions.PDFiumExt_ExitFormFillEnvironment(forms[1]);
    functions.PDFiumExt_CloseFormFillInfo(forms[0]);
  }
  return { notes, files };
}

/** Names of files that are attached to the document. */
export function attachmentsOf(functions: AnnotationFunctions, memory: Memory, document: number): string[] {
  const count = Math.min(functions.FPDFDoc_GetAttachmentCount(document), maxAttachments);
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const file = functions.FPDFDoc_GetAttachment(document, index);
    return memory.text((...into) => functions.FPDFAttachment_GetName(file, ...into));
  });
}
