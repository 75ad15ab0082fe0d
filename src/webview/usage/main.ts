import '../common/jitless.ts';
import { render } from 'lit';
import { type UsageView, usageProtocol, usageStateSchema } from '../../protocol/usage.ts';
import { act, Kept, openPageChannel, pageRoot, Shown } from '../common/page.ts';
import { type PageActions, pageTemplate } from './page.ts';

const kept = new Kept(usageStateSchema, { version: 1, scroll: 0 });
const shown = new Shown<UsageView>(draw);

const root = pageRoot();

const channel = openPageChannel(usageProtocol, {
  calls: {},
  events: {
    show(next) {
      shown.show(next);
      kept.restoreScroll();
    },
    problem: (reason) => shown.fail(reason),
  },
});

const actions: PageActions = {
  retry: () => channel.send('retry', null),
  viewAsText: () => act(channel.call('viewAsText', null)),
  viewAsJson: () => act(channel.call('viewAsJson', null)),
};

function draw(): void {
  render(pageTemplate({ view: shown.view, problem: shown.problem, actions }), root);
}

draw();
channel.send('ready', null);
