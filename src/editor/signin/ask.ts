import * as vscode from 'vscode';

/** One step of a sign-in. `submit` does the step's work; a string it returns is shown under the box and the user stays. */
export interface Step<T> {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
  readonly prompt: string;
  readonly placeholder: string;
  readonly value?: string;
  readonly masked?: boolean;
  submit(value: string, signal: AbortSignal): Promise<{ readonly done: T } | { readonly problem: string }>;
}

/** Asks one step; undefined when the user leaves. While the work runs the box shows progress, and leaving cancels it. */
export function ask<T>(step: Step<T>): Promise<T | undefined> {
  const box = vscode.window.createInputBox();
  box.title = step.title;
  box.step = step.step;
  box.totalSteps = step.totalSteps;
  box.prompt = step.prompt;
  box.placeholder = step.placeholder;
  box.value = step.value ?? '';
  box.password = step.masked ?? false;
  box.ignoreFocusOut = true;

  return new Promise((resolve, reject) => {
    let work: AbortController | undefined;
    const end = (settle: () => void) => {
      settle();
      box.dispose();
    };
    box.onDidChangeValue(() => {
      box.validationMessage = undefined;
    });
    box.onDidHide(() => {
      work?.abort();
      end(() => resolve(undefined));
    });
    box.onDidAccept(() => {
      if (work) return;
      const controller = new AbortController();
      work = controller;
      box.busy = true;
      box.enabled = false;
      step
        .submit(box.value, controller.signal)
        .then(
          (outcome) => {
            if (controller.signal.aborted) return;
            if ('done' in outcome) end(() => resolve(outcome.done));
            else box.validationMessage = outcome.problem;
          },
          (error: unknown) => {
            if (!controller.signal.aborted) end(() => reject(error));
          },
        )
        .finally(() => {
          work = undefined;
          if (controller.signal.aborted) return;
          box.busy = false;
          box.enabled = true;
        });
    });
    box.show();
  });
}
