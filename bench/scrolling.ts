import type { Frame, Page } from 'playwright-core';

/** The script of a page with a long plain list: the least that scrolling costs. */
export const plainList = `const list = document.body.appendChild(document.createElement('div'));
  list.className = 'grid';
  list.style.cssText = 'height: 90vh; overflow: auto; contain: strict';
  for (let row = 0; row < 2000; row++) {
    const line = document.createElement('div');
    line.style.height = '26px';
    line.textContent = 'Row ' + row;
    list.append(line);
  }`;

/** Times between frames while five rows go by in each, ms. */
export const scrolled = (page: Page | Frame, frames: number) =>
  page.evaluate(`new Promise((resolve) => {
    const scroller = document.querySelector('.grid') ?? document.scrollingElement;
    const times = [];
    let last;
    let top = 0;
    const step = (now) => {
      if (last !== undefined) times.push(now - last);
      last = now;
      if (times.length === ${frames}) return resolve(times);
      scroller.scrollTop = top += 130;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })`) as Promise<number[]>;
