import type * as vscode from 'vscode';
import type { CodeLanguage } from '../../notebook/helpers.ts';

/** Where a text goes in what a person works in: a notebook, or a text at its cursor. */
export interface InsertionPlace {
  readonly document: vscode.Uri;
  /** What can stand there; `markup` where text that somebody else wrote may be run or read as more than text. */
  readonly as: 'markdown' | 'plain' | 'markup' | CodeLanguage;
  /** The way to a file, as a relative link from there; parts separated by `/`. */
  pathTo(file: vscode.Uri): string;
  /**
   * Puts a text there, as a block of its own.
   * @throws Error with words for a person for a document that can't be changed
   */
  insert(text: string): Promise<Inserted>;
}

/** A text that was inserted. */
export interface Inserted {
  show(): Promise<void>;
  /** False if the text has changed since. */
  undo(): Promise<boolean>;
}

/** Whether a cell of code is wanted, or words. */
export type InsertionKind = 'markdown' | 'code';
