import * as vscode from 'vscode';

/** Waits until a panel of this kind has a tab, and gives its label once `fits` likes it. */
export function panelTab(viewType: string, fits: (label: string) => boolean = () => true): Promise<string> {
  const find = () =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .find(({ input, label }) => input instanceof vscode.TabInputCustom && input.viewType === viewType && fits(label))
      ?.label;
  return new Promise((resolve) => {
    const subscription = vscode.window.tabGroups.onDidChangeTabs(() => settle());
    const settle = () => {
      const label = find();
      if (label === undefined) return;
      subscription.dispose();
      resolve(label);
    };
    settle();
  });
}
